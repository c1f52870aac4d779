CREATE TABLE stock (sku INT, n INT) USING DELTA TBLPROPERTIES ('delta.enableDeletionVectors' = 'true');
INSERT INTO stock SELECT CAST(id AS INT), 10 FROM range(1000);
MERGE INTO stock AS t
USING (SELECT CAST(id AS INT) AS sku FROM range(0, 1000, 250)) AS s
ON t.sku = s.sku
WHEN MATCHED THEN DELETE;
