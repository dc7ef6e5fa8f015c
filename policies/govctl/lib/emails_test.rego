package govctl.lib.emails_test

import data.govctl.lib.emails

test_folded if emails.folded(" Ada@ACME.Example ") == "ada@acme.example"

test_only_ascii_folds if emails.folded("\u212aate@a.example") != "kate@a.example"

test_domain if emails.domain("Ada@ACME.example") == "acme.example"

test_no_domain if emails.domain("ada") == ""

test_within if emails.within("ada@Acme.example", ["acme.example"])

test_subdomain_is_not_within if not emails.within("ada@x.acme.example", ["acme.example"])
