"""types: the types that have no name of their own among the built-ins."""


def _function():
    pass


FunctionType = LambdaType = type(_function)
GeneratorType = type((lambda: (yield))())
ModuleType = type(__builtins__) if not isinstance(__builtins__, dict) else type(__import__("sys"))
NoneType = type(None)
BuiltinFunctionType = type(len)
MethodType = type("".join)


class SimpleNamespace:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __repr__(self):
        return "namespace(" + ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items()) + ")"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and self.__dict__ == other.__dict__
