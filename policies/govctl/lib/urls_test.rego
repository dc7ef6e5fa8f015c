package govctl.lib.urls_test

import data.govctl.lib.urls

test_parts if urls.parts("HTTPS://Me:x@Models.Example:8443/v1/a") == {
	"scheme": "https",
	"userinfo": true,
	"host": "models.example",
	"port": "8443",
	"path": ["v1", "a"],
}

test_default_port[note] if {
	some note, c in {
		"https": {"url": "https://a", "want": "443"},
		"http": {"url": "http://a", "want": "80"},
		"other": {"url": "wss://a", "want": ""},
	}
	urls.parts(c.url).port == c.want
}

test_no_url[note] if {
	some note, text in {"word": "models.example", "no host": "https:///v1", "number": 7, "empty": "", "bad port": "https://a:x/"}
	not urls.parts(text)
}

test_loopback[note] if {
	some note, host in {"name": "localhost", "v4": "127.0.0.9", "v6": "[::1]", "below": "a.localhost"}
	urls.loopback(host)
}

test_not_loopback[note] if {
	some note, host in {"prefix": "127.0.0.1.evil.example", "name": "localhost.evil.example"}
	not urls.loopback(host)
}

test_inside[note] if {
	some note, c in {
		"equal": {"url": "https://a.example/v1", "base": "https://a.example/v1/"},
		"below": {"url": "https://a.example:443/v1/x", "base": "https://A.example/v1"},
		"any path": {"url": "https://a.example/x", "base": "https://a.example"},
	}
	urls.inside(c.url, c.base)
}

test_outside[note] if {
	some note, c in {
		"text prefix of a host": {"url": "https://a.example.evil.example", "base": "https://a.example"},
		"text prefix of a path": {"url": "https://a.example/v10", "base": "https://a.example/v1"},
		"userinfo": {"url": "https://a.example@evil.example/", "base": "https://a.example"},
		"climbs": {"url": "https://a.example/v1/../admin", "base": "https://a.example/v1"},
		"climbs in disguise": {"url": "https://a.example/v1/%2E%2e/admin", "base": "https://a.example/v1"},
		"scheme": {"url": "http://a.example/v1", "base": "https://a.example/v1"},
		"port": {"url": "https://a.example:8443/v1", "base": "https://a.example/v1"},
		"no url": {"url": "a.example", "base": "https://a.example"},
	}
	not urls.inside(c.url, c.base)
}
