// How Spark SQL is read, for colours only: the engine parses, this paints.
import { SQLDialect } from "@codemirror/lang-sql";

const KEYWORDS = `
add after all alter always analyze and anti any array as asc at between both by bucket by cascade case cast
change check cluster clustered column columns comment commit compute constraint copy create cross cube current
default delete delta deltatable desc describe detail distinct distribute div drop else end escape evolution
except exists explain extended external false filter first following for from full function generated global
group grouping having history identity if ignore in increment inner insert intersect interval into is join
last lateral left like limit location map matched merge minus name natural not null nulls of offset on
optimize or order outer over overwrite parquet partition partitioned partitions preceding properties purge
qualify range recursive regexp rename reorg replace reset restore right rlike rollup row rows schema schemas
select semi set sets show some sort source start struct table tables tablesample target tblproperties temp
temporary then timestamp to trim true truncate type unbounded union unknown unset update use using vacuum
values version view views when where window with zorder`;

const TYPES = `
bigint binary boolean byte char date decimal double float int integer long numeric real short smallint string
timestamp_ltz timestamp_ntz tinyint varchar void`;

export const sparkSql = SQLDialect.define({
  keywords: KEYWORDS.trim().replace(/\s+/g, " "),
  types: TYPES.trim().replace(/\s+/g, " "),
  backslashEscapes: true,
  doubleQuotedStrings: true,
  identifierQuotes: "`",
  caseInsensitiveIdentifiers: true,
});

export const KEYWORD_LIST = [...new Set(KEYWORDS.trim().split(/\s+/))].map((word) => word.toUpperCase());
