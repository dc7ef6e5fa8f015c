package govctl.lib.params_test

import data.govctl.lib.params

test_value if params.value("max_limit") == 7 with data.params as {"max_limit": 7}

test_unknown if not params.value("max_limit") with data.params as {}
