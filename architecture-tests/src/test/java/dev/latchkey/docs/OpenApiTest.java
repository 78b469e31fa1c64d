package dev.latchkey.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Swagger's parser, which generators of clients use, reads {@code docs/reference/openapi.json} without a message. */
class OpenApiTest {

    private static final Pattern REFERENCE = Pattern.compile("\"#/components/[a-z]+/([A-Za-z0-9]+)\"");

    @Test
    void description_isValid() throws IOException {
        SwaggerParseResult read = parse(text());
        assertThat(read.getMessages()).isEmpty();
        OpenAPI api = read.getOpenAPI();
        assertThat(api.getOpenapi()).isEqualTo("3.1.0");
        List<Operation> operations = api.getPaths().values().stream()
                .map(PathItem::readOperations)
                .flatMap(List::stream)
                .toList();
        assertThat(operations)
                .hasSizeGreaterThan(20)
                .extracting(Operation::getOperationId)
                .doesNotHaveDuplicates();
        assertThat(operations)
                .allSatisfy(operation -> assertThat(operation.getSecurity())
                        .flatExtracting(scheme -> scheme.keySet())
                        .isSubsetOf(api.getComponents().getSecuritySchemes().keySet()));
        Set<String> named = REFERENCE
                .matcher(text())
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
        Set<String> defined = new HashSet<>(api.getComponents().getResponses().keySet());
        defined.addAll(api.getComponents().getSchemas().keySet());
        assertThat(named).isEqualTo(defined);
    }

    @Test
    void brokenDescription_hasMessages() throws IOException {
        assertThat(parse(text().replaceFirst("\"responses\" :", "\"respones\" :"))
                        .getMessages())
                .isNotEmpty();
    }

    private static SwaggerParseResult parse(String text) {
        return new OpenAPIV3Parser().readContents(text, List.of(), new ParseOptions());
    }

    private static String text() throws IOException {
        return Files.readString(RepositoryPages.REPOSITORY.resolve("docs/reference/openapi.json"));
    }
}
