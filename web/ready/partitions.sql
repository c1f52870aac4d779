-- 100 000 rows in ten partitions. A condition on the partition column in ON leaves nine of them unread.
CREATE TABLE events (id BIGINT, day DATE, amount DECIMAL(10,2)) USING DELTA PARTITIONED BY (day);
INSERT INTO events
SELECT id, date_add(DATE'2026-01-01', CAST(id % 10 AS INT)), CAST(id % 997 AS DECIMAL(10,2)) FROM range(100000);
MERGE INTO events AS t
USING (SELECT id, DATE'2026-01-04' AS day, CAST(1 AS DECIMAL(10,2)) AS amount FROM range(3, 2003, 10)) AS s
ON t.id = s.id AND t.day = DATE'2026-01-04'
WHEN MATCHED THEN UPDATE SET amount = s.amount
WHEN NOT MATCHED THEN INSERT *;
