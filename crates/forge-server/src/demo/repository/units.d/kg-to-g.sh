echo "$((number * 1000))"
