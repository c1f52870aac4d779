-- 100 000 rows, nine of ten with the same customer: one key has most of the work.
CREATE TABLE visits (id BIGINT, customer INT, pages INT) USING DELTA;
INSERT INTO visits
SELECT id, CASE WHEN id % 10 < 9 THEN 1 ELSE CAST(id % 5000 AS INT) END, CAST(id % 7 AS INT) FROM range(100000);
MERGE INTO visits AS t
USING (SELECT 1 AS customer, 100 AS pages) AS s
ON t.customer = s.customer AND t.id < 1000
WHEN MATCHED THEN UPDATE SET pages = s.pages;
SELECT customer, count(*) AS n FROM visits GROUP BY customer ORDER BY n DESC LIMIT 5;
