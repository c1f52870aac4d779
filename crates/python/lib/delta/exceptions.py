from pyspark.errors import AnalysisException, PySparkException


class DeltaConcurrentModificationException(PySparkException):
    pass


class ConcurrentAppendException(DeltaConcurrentModificationException):
    pass


class ConcurrentDeleteReadException(DeltaConcurrentModificationException):
    pass


class ConcurrentDeleteDeleteException(DeltaConcurrentModificationException):
    pass


class MetadataChangedException(DeltaConcurrentModificationException):
    pass


class ProtocolChangedException(DeltaConcurrentModificationException):
    pass


class ConcurrentWriteException(DeltaConcurrentModificationException):
    pass


class ConcurrentTransactionException(DeltaConcurrentModificationException):
    pass
