CREATE TABLE prices (sku STRING, price DECIMAL(8,2)) USING DELTA;
INSERT INTO prices VALUES ('mug', 9.50), ('pen', 1.20);
MERGE INTO prices AS p
USING (SELECT * FROM VALUES ('mug', 8.90), ('jar', 4.00) AS v(sku, price)) AS s
ON p.sku = s.sku
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
SELECT * FROM prices ORDER BY sku;
