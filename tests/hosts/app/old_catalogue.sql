BEGIN TRANSACTION;
CREATE TABLE models (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        about TEXT NOT NULL
    );
INSERT INTO "models" VALUES('353014bc5b4b','mine.labelscape',1.7947751772682876587e+09,'{"kind": "GMLVQ", "n_features": 4, "classes": ["ash", "fir", "oak"]}');
CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        table_id TEXT NOT NULL REFERENCES tables (id),
        settings TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN (
            'queued', 'running', 'finished', 'failed', 'cancelled', 'interrupted')),
        words TEXT NOT NULL DEFAULT '',
        created REAL NOT NULL,
        started REAL,
        ended REAL,
        result TEXT NOT NULL DEFAULT '{}'
    );
INSERT INTO "runs" VALUES('7d4e195cb391','first','acb69e4dca41','{"table": "acb69e4dca41", "label": "kind", "id_column": "name", "drop": ["age"], "unlabelled": "drop", "method": "lfda", "parameters": {"n_neighbors": 3}, "seed": 3, "honesty": true, "model": null, "reading": {"decimal": ",", "missing_values": []}}','finished','',1.79477517730948686602e+09,1.794775177332451582e+09,1.79477522577604508397e+09,'{"summary": "Trustworthiness 0.958, continuity 0.964.", "verdict": "The separation is real: neighbours on the map agree for 99% of the points it was fitted to and for 93% of new ones, where shuffled labels give 33%.", "level": "real", "has_model": true, "seconds": 15.58}');
INSERT INTO "runs" VALUES('31f7e6d7c2bc','model of trees.csv','acb69e4dca41','{"table": "acb69e4dca41", "label": "kind", "id_column": "name", "drop": [], "unlabelled": "drop", "method": "model", "parameters": {}, "seed": 3, "honesty": true, "model": "353014bc5b4b", "reading": {"decimal": ",", "missing_values": []}, "model_name": "mine.labelscape"}','finished','',1.79477517731086683269e+09,1.79477522578421282766e+09,1.79477523262694907187e+09,'{"summary": "GMLVQ: right for 22.2% of 9 held-out rows. The picture shows what it says for 77.8% of them; 0% of the picture is far from data. The model came from a file: it may have been trained on these rows, and then its accuracy says little.", "verdict": null, "level": null, "has_model": true, "seconds": 6.82}');
INSERT INTO "runs" VALUES('e49d3700049c','pca of iris','434158d77d9a','{"table": "434158d77d9a", "label": null, "id_column": null, "drop": [], "unlabelled": "drop", "method": "pca", "parameters": {}, "seed": 3, "honesty": false, "model": null, "reading": {"decimal": ".", "missing_values": []}}','finished','',1.79477517731651711459e+09,1.79477523262880897525e+09,1.7947752404031956196e+09,'{"summary": "Trustworthiness 0.980, continuity 0.991. Honesty was not asked for.", "verdict": null, "level": null, "has_model": false, "seconds": 7.724}');
INSERT INTO "runs" VALUES('39d597100b60','lfda of trees.csv','acb69e4dca41','{"table": "acb69e4dca41", "label": "nothing", "id_column": "name", "drop": ["age"], "unlabelled": "drop", "method": "lfda", "parameters": {}, "seed": 3, "honesty": true, "model": null, "reading": {"decimal": ",", "missing_values": []}}','failed','label: there is no column ''nothing''. The columns are ''name'', ''height'', ''leaf'', ''bark'', ''age'', ''kind''.',1.79477517731769204136e+09,1.79477524044813609126e+09,1.79477524048035240174e+09,'{}');
CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        created REAL NOT NULL,
        about TEXT NOT NULL
    );
INSERT INTO "tables" VALUES('acb69e4dca41','trees.csv','source.csv',1.79477517043216443061e+09,'{"n_rows": 30, "reading": {"decimal": ",", "missing_values": []}, "columns": [{"name": "name", "kind": "nominal", "n_rows": 30, "n_missing": 0, "n_distinct": 30, "examples": ["t0", "t1", "t2", "t3", "t4"], "role": "id", "problem": "", "odd": ""}, {"name": "height", "kind": "number", "n_rows": 30, "n_missing": 0, "n_distinct": 30, "examples": ["3.1257", "-0.5357", "-0.7037", "0.675", "-0.5443"], "role": "feature", "problem": "", "odd": ""}, {"name": "leaf", "kind": "number", "n_rows": 30, "n_missing": 0, "n_distinct": 30, "examples": ["-0.1321", "3.3616", "-1.2654", "-0.2188", "2.6837"], "role": "feature", "problem": "", "odd": ""}, {"name": "bark", "kind": "number", "n_rows": 30, "n_missing": 0, "n_distinct": 30, "examples": ["0.6404", "1.304", "2.3767", "-1.2459", "0.4116"], "role": "feature", "problem": "", "odd": ""}, {"name": "age", "kind": "number", "n_rows": 30, "n_missing": 0, "n_distinct": 30, "examples": ["0.1049", "0.9471", "0.0413", "-0.7323", "1.0425"], "role": "feature", "problem": "", "odd": ""}, {"name": "kind", "kind": "nominal", "n_rows": 30, "n_missing": 0, "n_distinct": 3, "examples": ["oak", "fir", "ash"], "role": "label", "problem": "", "odd": ""}]}');
INSERT INTO "tables" VALUES('434158d77d9a','iris','embedded.json',1.79477517098919439313e+09,'{"embedded": "iris", "n_rows": 150, "columns": [{"name": "sepal length (cm)", "kind": "number", "n_rows": 150, "n_missing": 0, "n_distinct": 35, "examples": ["5.1", "4.9", "4.7", "4.6", "5"], "role": "feature"}, {"name": "sepal width (cm)", "kind": "number", "n_rows": 150, "n_missing": 0, "n_distinct": 23, "examples": ["3.5", "3", "3.2", "3.1", "3.6"], "role": "feature"}, {"name": "petal length (cm)", "kind": "number", "n_rows": 150, "n_missing": 0, "n_distinct": 43, "examples": ["1.4", "1.3", "1.5", "1.7", "1.6"], "role": "feature"}, {"name": "petal width (cm)", "kind": "number", "n_rows": 150, "n_missing": 0, "n_distinct": 22, "examples": ["0.2", "0.4", "0.3", "0.1", "0.5"], "role": "feature"}]}');
CREATE INDEX runs_by_time ON runs (created);
COMMIT;
PRAGMA user_version = 2;
