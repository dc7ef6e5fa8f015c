package govctl.lib.text

# shout is a text in capitals.
shout(s) := upper(s)
