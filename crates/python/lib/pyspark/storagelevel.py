class StorageLevel:
    """Where Spark keeps a cached frame: one place here."""


for _name in ("NONE", "DISK_ONLY", "MEMORY_ONLY", "MEMORY_AND_DISK", "MEMORY_AND_DISK_DESER", "OFF_HEAP"):
    setattr(StorageLevel, _name, StorageLevel())
