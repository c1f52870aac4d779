"""The exceptions that PySpark raises, with the condition they carry."""


class PySparkException(Exception):
    def __init__(self, message=None, errorClass=None, messageParameters=None, sqlState=None):
        condition = errorClass
        text = message or ""
        if condition and not text.startswith("["):
            text = f"[{condition}] {text}"
        super().__init__(text)
        self._condition = condition
        self._sqlstate = sqlState
        self._message = message or ""
        self._parameters = messageParameters or {}

    def getCondition(self):
        return self._condition

    getErrorClass = getCondition

    def getSqlState(self):
        return self._sqlstate

    def getMessage(self):
        return str(self)

    def getMessageParameters(self):
        return self._parameters


class AnalysisException(PySparkException):
    pass


class ParseException(AnalysisException):
    pass


class TempTableAlreadyExistsException(AnalysisException):
    pass


class IllegalArgumentException(PySparkException):
    pass


class ArithmeticException(PySparkException):
    pass


class NumberFormatException(IllegalArgumentException):
    pass


class DateTimeException(PySparkException):
    pass


class ArrayIndexOutOfBoundsException(PySparkException):
    pass


class UnsupportedOperationException(PySparkException):
    pass


class QueryExecutionException(PySparkException):
    pass


class SparkRuntimeException(PySparkException):
    pass


class SparkNoSuchElementException(PySparkException):
    pass


class UnknownException(PySparkException):
    pass


# A class with a built-in base must name it first.
class PySparkTypeError(TypeError, PySparkException):
    pass


class PySparkValueError(ValueError, PySparkException):
    pass


class PySparkAttributeError(AttributeError, PySparkException):
    # AttributeError has one of its own.
    __init__ = PySparkException.__init__


class PySparkIndexError(IndexError, PySparkException):
    pass


class PySparkKeyError(KeyError, PySparkException):
    __str__ = Exception.__str__


class PySparkRuntimeError(RuntimeError, PySparkException):
    pass


class PySparkAssertionError(AssertionError, PySparkException):
    pass


class PySparkNotImplementedError(NotImplementedError, PySparkException):
    pass


class PySparkImportError(ImportError, PySparkException):
    pass


def _raised(error):
    """The exception for a complaint of the engine."""
    kind = globals().get(error.get("kind") or "", AnalysisException)
    raised = kind(error["text"], error["condition"], None, error["sqlstate"])
    raised._complaint = error["id"]
    return raised


def _ask(request):
    """Asks the engine; its complaints are raised."""
    reply = _call(request)
    if "error" in reply:
        raise _raised(reply["error"])
    return reply
