// The reference engine behind a line protocol: a request a line on standard input, an answer a line on standard
// output, both JSON. Started as `java -cp 'jars/*' Reference.java`; it needs nothing but the published jars.
//
//   {"op":"fresh","conf":{…}}                       an empty catalog and folder, settings as given
//   {"op":"run","sql":"…"}                          {"columns":[[name,type]…],"rows":[[…]…]} or {"error_class":…}
//   {"op":"look","table":"tgt","after":3,"changes":true}
//                                                   the table and its commits after version 3
//
// `{dir}` in a statement is an empty folder, `{warehouse}` that of the managed tables.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import scala.jdk.javaapi.CollectionConverters;

public class Reference {
    static final ObjectMapper JSON = new ObjectMapper();
    static final List<String> WRAPPERS = List.of("TASK_WRITE_FAILED", "WRITING_JOB_ABORTED", "JOB_EXECUTION_FAILED");
    /** Metrics that are times or sizes. */
    static final Pattern VOLATILE = Pattern.compile(
        "Time$|TimeMs$|Ms$|Bytes|^(min|max|p25|p50|p75)FileSize$|^sizeOf|Size$|SizeAfterRestore$");

    final Path root;
    final Path warehouse;
    final SparkSession spark;
    final List<String> set = new ArrayList<>();
    Path dir;
    int nFresh = 0;

    public static void main(String[] args) throws Exception {
        // Standard output belongs to the protocol: whatever libraries print goes elsewhere.
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        Reference reference = new Reference(Path.of(args[0]));
        answers.println("{\"ready\":\"Delta Lake 4.4.0 on Spark " + reference.spark.version() + "\"}");
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            ObjectNode answer;
            try {
                answer = reference.answer(JSON.readTree(line));
            } catch (Throwable problem) {
                answer = JSON.createObjectNode();
                condition(answer, problem);
                answer.put("broken", String.valueOf(problem));
            }
            answers.println(JSON.writeValueAsString(answer));
        }
        reference.spark.stop();
    }

    Reference(Path root) throws IOException {
        this.root = root;
        this.warehouse = root.resolve("warehouse");
        Files.createDirectories(warehouse);
        spark = SparkSession.builder().master("local[1]").appName("reference")
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
            .config("spark.sql.warehouse.dir", warehouse.toString())
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.default.parallelism", "1")
            .config("spark.sql.adaptive.enabled", "false")
            // Plans are met once: compiling each costs more than it saves.
            .config("spark.sql.codegen.wholeStage", "false")
            .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
            .config("spark.databricks.delta.snapshotPartitions", "1")
            // Only how values arrive here: as java.time.
            .config("spark.sql.datetime.java8API.enabled", "true")
            .config("spark.ui.enabled", "false")
            .getOrCreate();
        spark.sparkContext().setLogLevel("OFF");
    }

    ObjectNode answer(JsonNode request) throws Exception {
        return switch (request.path("op").asText()) {
            case "fresh" -> fresh(request.path("conf"));
            case "run" -> run(filled(request.path("sql").asText()));
            case "look" -> look(request);
            default -> throw new IllegalArgumentException("no such op");
        };
    }

    String filled(String text) {
        return text.replace("{dir}", String.valueOf(dir)).replace("{warehouse}", warehouse.toString());
    }

    /** Drops everything and forgets the settings of the last time. */
    ObjectNode fresh(JsonNode conf) throws Exception {
        set.forEach(key -> spark.conf().unset(key));
        set.clear();
        spark.catalog().setCurrentDatabase("default");
        for (Row row : spark.sql("SHOW VIEWS IN default").collectAsList()) {
            spark.sql("DROP VIEW IF EXISTS `" + row.<String>getAs("viewName") + "`");
        }
        for (Row row : spark.sql("SHOW TABLES IN default").collectAsList()) {
            spark.sql("DROP TABLE IF EXISTS `" + row.<String>getAs("tableName") + "`");
        }
        for (Row row : spark.sql("SHOW DATABASES").collectAsList()) {
            if (!row.getString(0).equals("default")) {
                spark.sql("DROP DATABASE `" + row.getString(0) + "` CASCADE");
            }
        }
        delete(warehouse);
        Files.createDirectories(warehouse);
        if (dir != null) {
            delete(dir);
        }
        dir = Files.createDirectories(root.resolve("dir-" + nFresh++));
        org.apache.spark.sql.delta.DeltaLog.clearCache();
        conf.properties().forEach(entry -> {
            String value = entry.getValue().asText();
            spark.conf().set(entry.getKey(), value);
            set.add(entry.getKey());
        });
        return JSON.createObjectNode().put("ok", true);
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> all = Files.walk(folder)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : found) {
            Files.delete(path);
        }
    }

    ObjectNode run(String sql) {
        ObjectNode answer = JSON.createObjectNode();
        try {
            Dataset<Row> result = spark.sql(sql);
            rows(answer, result);
        } catch (Throwable problem) {
            // A query may have shown its columns before it failed.
            answer.removeAll();
            condition(answer, problem);
        }
        return answer;
    }

    static void rows(ObjectNode answer, Dataset<Row> result) {
        columns(answer, result);
        ArrayNode rows = answer.putArray("rows");
        for (Row row : result.collectAsList()) {
            ArrayNode cells = rows.addArray();
            for (int idx = 0; idx < row.size(); idx++) {
                cells.add(value(row.get(idx)));
            }
        }
    }

    static void columns(ObjectNode answer, Dataset<Row> result) {
        ArrayNode columns = answer.putArray("columns");
        for (StructField field : result.schema().fields()) {
            columns.addArray().add(field.name()).add(field.dataType().simpleString());
        }
    }

    /** The table now, and what its commits after a version say and did. */
    ObjectNode look(JsonNode request) throws Exception {
        ObjectNode answer = JSON.createObjectNode();
        String table = filled(request.path("table").asText());
        Path log = log(table);
        answer.put("exists", log != null);
        List<Long> versions = log == null ? List.of() : versions(log);
        long after = request.path("after").asLong(-1);
        answer.put("version", versions.isEmpty() ? -1 : versions.get(versions.size() - 1));
        ArrayNode commits = answer.putArray("commits");
        for (long version : versions) {
            if (version > after) {
                commits.add(commit(log, version));
            }
        }
        // Without a commit the rows are those that were there before.
        if (log != null && (commits.size() > 0 || request.path("always").asBoolean(false))) {
            try {
                ObjectNode content = JSON.createObjectNode();
                rows(content, spark.sql("SELECT * FROM " + table));
                answer.setAll(content);
            } catch (Throwable problem) {
                condition(answer.putObject("read_error"), problem);
            }
        }
        if (request.path("changes").asBoolean(false) && commits.size() > 0) {
            long last = versions.get(versions.size() - 1);
            try {
                String name = table.replace("'", "\\'");
                Dataset<Row> feed = spark.sql("SELECT * FROM table_changes('" + name + "', " + last + ", " + last + ")");
                rows(answer.putObject("changes"), feed.drop("_commit_version", "_commit_timestamp"));
            } catch (Throwable problem) {
                // Without a feed there is nothing to show.
                answer.remove("changes");
            }
        }
        return answer;
    }

    Path log(String table) {
        Matcher path = Pattern.compile("(?i)delta\\.`(.*)`").matcher(table);
        Path folder;
        if (path.matches()) {
            folder = Path.of(path.group(1));
        } else {
            try {
                String location = spark.sql("DESCRIBE DETAIL " + table).first().<String>getAs("location");
                folder = Path.of(location.replaceFirst("^file:/*", "/"));
            } catch (Throwable problem) {
                return null;
            }
        }
        Path log = folder.resolve("_delta_log");
        return Files.isDirectory(log) ? log : null;
    }

    static List<Long> versions(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            Stream<String> names = files.map(file -> file.getFileName().toString());
            return names.filter(name -> name.matches("\\d{20}\\.json")).map(name -> Long.parseLong(name.substring(0, 20)))
                .sorted().toList();
        }
    }

    static ObjectNode commit(Path log, long version) throws IOException {
        Map<String, JsonNode> adds = new TreeMap<>();
        Map<String, JsonNode> removes = new TreeMap<>();
        JsonNode info = JSON.createObjectNode();
        int nChanges = 0;
        boolean metadata = false;
        boolean protocol = false;
        for (String line : Files.readAllLines(log.resolve(String.format("%020d.json", version)))) {
            JsonNode action = JSON.readTree(line);
            if (action.has("add")) {
                adds.put(action.path("add").path("path").asText(), action.path("add"));
            } else if (action.has("remove")) {
                removes.put(action.path("remove").path("path").asText(), action.path("remove"));
            } else if (action.has("commitInfo")) {
                info = action.path("commitInfo");
            }
            nChanges += action.has("cdc") ? 1 : 0;
            metadata |= action.has("metaData");
            protocol |= action.has("protocol");
        }
        ObjectNode commit = JSON.createObjectNode();
        commit.put("version", version);
        commit.set("operation", info.path("operation"));
        commit.set("operationParameters", JSON.readTree(info.path("operationParameters").toString().replaceAll("#\\d+L?", "")));
        ObjectNode metrics = commit.putObject("metrics");
        ArrayNode names = commit.putArray("volatile_metrics");
        Map<String, JsonNode> sorted = new TreeMap<>();
        info.path("operationMetrics").properties().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        sorted.forEach((key, value) -> {
            if (VOLATILE.matcher(key).find()) {
                names.add(key);
            } else if (value.asText().matches("-?\\d+")) {
                metrics.put(key, Long.parseLong(value.asText()));
            } else {
                metrics.set(key, value);
            }
        });
        commit.set("isBlindAppend", info.path("isBlindAppend"));
        for (String key : List.of("isolationLevel", "userMetadata")) {
            if (info.has(key) && !info.path(key).asText().equals("Serializable")) {
                commit.set(key, info.path(key));
            }
        }
        ObjectNode layout = commit.putObject("layout");
        layout.put("new_files", adds.keySet().stream().filter(path -> !removes.containsKey(path)).count());
        layout.put("removed_files", removes.keySet().stream().filter(path -> !adds.containsKey(path)).count());
        ArrayNode vectors = layout.putArray("dv_cardinalities");
        adds.entrySet().stream()
            .filter(add -> removes.containsKey(add.getKey()) && add.getValue().hasNonNull("deletionVector"))
            .map(add -> add.getValue().path("deletionVector").path("cardinality").asLong())
            .sorted().forEach(vectors::add);
        layout.put("cdc_files", nChanges);
        layout.put("metadata_action", metadata);
        layout.put("protocol_action", protocol);
        return commit;
    }

    /** The outermost condition; of a failed write task the innermost, with the outer one beside it. */
    static void condition(ObjectNode answer, Throwable problem) {
        List<SparkThrowable> chain = new ArrayList<>();
        Throwable cause = problem;
        for (int depth = 0; cause != null && depth < 20; depth++, cause = cause.getCause()) {
            if (cause instanceof SparkThrowable spark && spark.getCondition() != null) {
                chain.add(spark);
            }
        }
        if (chain.isEmpty()) {
            String message = String.valueOf(problem.getMessage());
            answer.put("exception", problem.getClass().getName());
            answer.put("message_start", message.substring(0, Math.min(40, message.length())));
            return;
        }
        SparkThrowable outer = chain.get(0);
        SparkThrowable shown = WRAPPERS.contains(outer.getCondition()) ? chain.get(chain.size() - 1) : outer;
        answer.put("error_class", shown.getCondition());
        if (shown.getSqlState() != null) {
            answer.put("sqlstate", shown.getSqlState());
        }
        if (!shown.getCondition().equals(outer.getCondition())) {
            answer.put("wrapped_in", outer.getCondition());
        }
        answer.put("message", String.valueOf(problem.getMessage()).strip().split("\n")[0]);
    }

    static JsonNode value(Object value) {
        if (value == null) {
            return JSON.nullNode();
        } else if (value instanceof Double number) {
            return real(number, JSON.getNodeFactory().numberNode(number));
        } else if (value instanceof Float number) {
            // The shortest text of the FLOAT, not of the DOUBLE it widens to.
            return real(number, JSON.getNodeFactory().numberNode(Double.parseDouble(number.toString())));
        } else if (value instanceof Number && !(value instanceof BigDecimal)) {
            return JSON.getNodeFactory().numberNode(((Number) value).longValue());
        } else if (value instanceof Boolean bool) {
            return JSON.getNodeFactory().booleanNode(bool);
        } else if (value instanceof BigDecimal decimal) {
            return JSON.getNodeFactory().textNode(decimal.toPlainString());
        } else if (value instanceof LocalDate date) {
            return JSON.getNodeFactory().textNode(date.toString());
        } else if (value instanceof Instant instant) {
            return JSON.getNodeFactory().textNode(time(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)));
        } else if (value instanceof LocalDateTime local) {
            return JSON.getNodeFactory().textNode(time(local));
        } else if (value instanceof byte[] bytes) {
            StringBuilder hex = new StringBuilder("X:");
            for (byte one : bytes) {
                hex.append(String.format("%02X", one));
            }
            return JSON.getNodeFactory().textNode(hex.toString());
        } else if (value instanceof Row row) {
            ObjectNode object = JSON.createObjectNode();
            String[] names = row.schema().fieldNames();
            for (int idx = 0; idx < names.length; idx++) {
                object.set(names[idx], value(row.get(idx)));
            }
            return object;
        } else if (value instanceof scala.collection.Map<?, ?> map) {
            ObjectNode object = JSON.createObjectNode();
            CollectionConverters.asJava(map).forEach((key, item) -> {
                JsonNode name = value(key);
                object.set(name.isTextual() ? name.asText() : name.toString(), value(item));
            });
            return object;
        } else if (value instanceof scala.collection.Seq<?> items) {
            ArrayNode array = JSON.createArrayNode();
            CollectionConverters.asJava(items).forEach(item -> array.add(value(item)));
            return array;
        }
        return JSON.getNodeFactory().textNode(String.valueOf(value));
    }

    static JsonNode real(double number, JsonNode otherwise) {
        if (Double.isNaN(number)) {
            return JSON.getNodeFactory().textNode("NaN");
        } else if (Double.isInfinite(number)) {
            return JSON.getNodeFactory().textNode(number > 0 ? "Infinity" : "-Infinity");
        } else if (number == 0 && 1 / number < 0) {
            return JSON.getNodeFactory().textNode("-0.0");
        }
        return otherwise;
    }

    /** ISO text; a fraction only where it is not zero. */
    static String time(LocalDateTime time) {
        String text = time.format(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss"));
        String fraction = String.format("%06d", time.getNano() / 1000).replaceAll("0+$", "");
        return fraction.isEmpty() ? text : text + "." + fraction;
    }
}
