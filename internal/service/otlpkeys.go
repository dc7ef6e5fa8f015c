package service

import "bytes"

// hideSnakeCase makes the keys of a JSON text that hold an underscore unknown to
// protojson. OTLP writes the names of fields in lowerCamelCase and nothing else, and
// wants unknown names ignored; protojson would also accept the names of the .proto files.
// Both differ exactly in the underscore, and OTLP has no object whose keys are data.
//
// Each underscore of a key becomes a hyphen, which no name of a field has. That is done
// in place and byte by byte, so that a text is valid afterwards exactly if it was before:
// what is wrong with it is left for protojson to find.
func hideSnakeCase(text []byte) {
	for at := 0; ; {
		open := bytes.IndexByte(text[at:], '"')
		if open < 0 {
			return
		}
		start := at + open + 1
		end := endOfString(text, start)
		if end < 0 {
			return
		}
		at = end + 1
		if rest := bytes.TrimLeft(text[at:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			hideUnderscores(text[start:end])
		}
	}
}

// endOfString is where the quote is that ends a string, -1 if there is none.
func endOfString(text []byte, at int) int {
	for ; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at
		case '\\':
			at++ // what follows ends nothing
		}
	}
	return -1
}

// hideUnderscores works on what stands between the quotes, where an underscore may also
// be written \u005f.
func hideUnderscores(key []byte) {
	for i := 0; i < len(key); i++ {
		switch key[i] {
		case '_':
			key[i] = '-'
		case '\\':
			if escape := key[i:min(i+6, len(key))]; bytes.EqualFold(escape, []byte(`\u005f`)) && escape[1] == 'u' {
				copy(escape, `\u002d`)
			}
			i++
		}
	}
}
