CREATE TABLE accounts (id INT, plan STRING) USING DELTA TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');
INSERT INTO accounts VALUES (1, 'free'), (2, 'free'), (3, 'team');
MERGE INTO accounts AS t
USING (SELECT * FROM VALUES (2, 'team'), (4, 'free') AS v(id, plan)) AS s
ON t.id = s.id
WHEN MATCHED THEN UPDATE SET plan = s.plan
WHEN NOT MATCHED THEN INSERT *
WHEN NOT MATCHED BY SOURCE AND t.plan = 'team' THEN DELETE;
SELECT * FROM table_changes('accounts', 2) ORDER BY id, _change_type;
