# The checks of a call's arguments are built when the call is first used, not for every call of the class when it is loaded.
s/^    @validate_call$/    @validate_call(config={"defer_build": True})/
