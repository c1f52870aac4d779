//! What a program can write behind a dot: what an editor completes from.

/// The names of everything that the modules of the crate `python` define for users, by what stands before the dot. A
/// test compares them with what an interpreter says.
pub const MEMBERS: &[(&str, &str)] = &[
    (
        "Column",
        "alias asc asc_nulls_first asc_nulls_last astype between bitwiseAND bitwiseOR bitwiseXOR cast contains desc \
         desc_nulls_first desc_nulls_last endswith eqNullSafe getField getItem ilike isNaN isNotNull isNull isin like \
         name otherwise over rlike startswith substr try_cast when withField",
    ),
    (
        "DataFrame",
        "agg alias cache checkpoint coalesce colRegex collect columns count createGlobalTempView \
         createOrReplaceGlobalTempView createOrReplaceTempView createTempView crossJoin cube describe distinct drop \
         dropDuplicates drop_duplicates dropna dtypes exceptAll explain fillna filter first foreach groupBy groupby head \
         hint intersect intersectAll isEmpty isStreaming join limit localCheckpoint na offset orderBy persist printSchema \
         registerTempTable repartition repartitionByRange replace rollup sample schema select selectExpr show sort \
         sortWithinPartitions sparkSession subtract summary tail take toDF toLocalIterator transform union unionAll \
         unionByName unpersist where withColumn withColumnRenamed withColumns withColumnsRenamed write writeTo",
    ),
    ("DataFrameReader", "csv format jdbc json load option options orc parquet schema table text"),
    (
        "DataFrameWriter",
        "bucketBy clusterBy csv format insertInto jdbc json mode option options orc parquet partitionBy save saveAsTable \
         sortBy text",
    ),
    (
        "DeltaMergeBuilder",
        "execute whenMatchedDelete whenMatchedUpdate whenMatchedUpdateAll whenNotMatchedBySourceDelete \
         whenNotMatchedBySourceUpdate whenNotMatchedInsert whenNotMatchedInsertAll withSchemaEvolution",
    ),
    ("DeltaOptimizeBuilder", "executeCompaction executeZOrderBy where"),
    (
        "DeltaTable",
        "addFeatureSupport alias columnBuilder convertToDelta create createIfNotExists createOrReplace delete detail \
         forName forPath generate history isDeltaTable merge optimize replace restoreToTimestamp restoreToVersion toDF \
         update upgradeTableProtocol vacuum",
    ),
    ("DeltaTableBuilder", "addColumn addColumns clusterBy comment execute location partitionedBy property tableName"),
    (
        "F",
        "abs acos add_months any_value approx_count_distinct approx_percentile array array_agg array_append array_compact \
         array_contains array_distinct array_except array_intersect array_join array_max array_min array_position \
         array_prepend array_remove array_repeat array_size array_sort array_union arrays_overlap asc asc_nulls_first \
         asc_nulls_last ascii asin assert_true atan atan2 avg base64 bin bit_and bit_count bit_length bit_or bit_xor \
         bool_and bool_or broadcast bround btrim call_function cardinality cbrt ceil ceiling char char_length \
         character_length coalesce col collect_list collect_set column concat concat_ws contains corr cos cosh count \
         countDistinct count_distinct count_if covar_pop covar_samp crc32 create_map cume_dist curdate current_catalog \
         current_database current_date current_schema current_timestamp current_timezone current_user date_add date_diff \
         date_format date_from_unix_date date_part date_sub date_trunc dateadd datediff datepart day dayname dayofmonth \
         dayofweek dayofyear decode degrees dense_rank desc desc_nulls_first desc_nulls_last e element_at encode endswith \
         equal_null every exp explode explode_outer expm1 expr extract factorial find_in_set first first_value flatten \
         floor format_number from_unixtime get greatest hash hex hour hypot ifnull initcap inline inline_outer \
         input_file_name instr isnan isnotnull isnull lag last last_day last_value lcase lead least left length \
         levenshtein lit ln localtimestamp locate log log10 log1p log2 lower lpad ltrim make_date make_dt_interval \
         make_timestamp make_ym_interval map_from_arrays map_keys map_values max max_by md5 mean median min min_by minute \
         monotonically_increasing_id month monthname months_between named_struct nanvl negative next_day now nth_value \
         ntile nullif nullifzero nvl nvl2 octet_length overlay pandas_udf percent_rank percentile percentile_approx pi \
         pmod posexplode posexplode_outer position positive pow power quarter radians raise_error rand randn rank regexp \
         regexp_count regexp_extract regexp_extract_all regexp_instr regexp_like regexp_replace regexp_substr repeat \
         replace reverse right rint rlike round row_number rpad rtrim second sequence session_user sha sha1 sha2 \
         shiftleft shiftright shiftrightunsigned sign signum sin sinh size slice some sort_array spark_partition_id split \
         split_part sqrt stack startswith std stddev stddev_pop stddev_samp struct substr substring substring_index sum \
         sumDistinct sum_distinct tan tanh timestamp_micros timestamp_millis timestamp_seconds to_date to_json \
         to_timestamp to_timestamp_ntz to_unix_timestamp translate trim trunc try_add try_avg try_divide try_element_at \
         try_mod try_multiply try_subtract try_sum try_to_timestamp typeof ucase udf unbase64 unhex unix_date unix_micros \
         unix_millis unix_seconds unix_timestamp upper user uuid var_pop var_samp variance version weekday weekofyear \
         when width_bucket xxhash64 year zeroifnull",
    ),
    ("GroupedData", "agg avg count max mean min pivot sum"),
    (
        "SparkSession",
        "active builder catalog conf createDataFrame getActiveSession newSession range read sparkContext sql stop table \
         version",
    ),
    ("Window", "currentRow orderBy partitionBy rangeBetween rowsBetween unboundedFollowing unboundedPreceding"),
    ("WindowSpec", "orderBy partitionBy rangeBetween rowsBetween"),
];
