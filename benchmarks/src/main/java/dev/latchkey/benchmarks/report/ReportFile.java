package dev.latchkey.benchmarks.report;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;

/** The report as JSON, beside its page. */
public final class ReportFile {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS) // derived values are not kept
            .build();

    private ReportFile() {}

    public static void write(Report report, Path file) throws IOException {
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report);
    }

    public static Report read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), Report.class);
    }
}
