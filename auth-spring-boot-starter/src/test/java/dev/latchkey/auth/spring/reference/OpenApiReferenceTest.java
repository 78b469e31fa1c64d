package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/openapi.json} is made of the table of endpoints, and the table names the endpoints of the code. */
class OpenApiReferenceTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path REFERENCE = Path.of("..", "docs", "reference");

    /** A request at a fixed path, and the start of its answer. */
    private static final Pattern EXCHANGE = Pattern.compile(
            "^(GET|POST|DELETE) (/auth/[^ ?\\n]+).*\\n(?: {4}.*\\n)*< (?:error )?(\\d{3}).*\\n((?: {4}.*\\n)*)",
            Pattern.MULTILINE);

    private static final Pattern MAPPING =
            Pattern.compile("@(Get|Post|Patch|Put|Delete)Mapping(?:\\((?:path = )?\"([^\"]*)\")?");

    @Test
    void description_isMadeOfTheTable() throws IOException {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(indenter);
        ReferencePage.isMadeOf("openapi.json", JSON.writer(printer).writeValueAsString(OpenApiTable.document()) + "\n");
    }

    @Test
    void endpointsOfTheStarter_areThoseOfTheTable() {
        Services.web()
                .withPropertyValues(
                        "latchkey.jwt.secret=" + Services.KEY,
                        "latchkey.jwt.issuer=https://login.example.com",
                        "latchkey.login.enabled=true",
                        "latchkey.login.refresh.enabled=true",
                        "latchkey.login.introspection=true",
                        "latchkey.login.clients.shop.secret=0123456789abcdefghijkl",
                        "latchkey.login.logins.enabled=true")
                .run(context -> assertThat(
                                context.getBeansOfType(AuthEndpoint.class).values())
                        .extracting(endpoint -> endpoint.method() + " " + endpoint.path())
                        .containsExactlyInAnyOrderElementsOf(requestsOf(OpenApiTable.starter())));
    }

    @Test
    void endpointsOfPlugins_areThoseOfTheTable() throws IOException {
        Set<String> mapped = new TreeSet<>();
        int interfaces = 0;
        try (Stream<Path> files = Files.walk(Path.of("..", "plugins"))) {
            for (Path file : files.filter(each -> each.toString().contains("src/main/java")
                            && each.toString().endsWith("Paths.java"))
                    .toList()) {
                interfaces++;
                mapped.addAll(mappingsOf(file));
            }
        }
        assertThat(interfaces).isEqualTo(3);
        assertThat(mapped).isEqualTo(new TreeSet<>(requestsOf(OpenApiTable.plugins())));
    }

    /** The exchanges of the page are played against both stacks, so statuses and members are those of services. */
    @Test
    void answersOfThePage_areThoseOfTheDescription() throws IOException {
        JsonNode description = JSON.valueToTree(OpenApiTable.document());
        List<MatchResult> exchanges = EXCHANGE.matcher(Files.readString(REFERENCE.resolve("endpoints.md")))
                .results()
                .toList();
        assertThat(exchanges).hasSizeGreaterThan(40);
        int bodies = 0;
        for (MatchResult exchange : exchanges) {
            String method = exchange.group(1).toLowerCase(Locale.ROOT);
            JsonNode answer = description
                    .path("paths")
                    .path(exchange.group(2))
                    .path(method)
                    .path("responses")
                    .path(exchange.group(3));
            assertThat(answer.isObject()).as(exchange.group()).isTrue();
            for (String line : exchange.group(4).lines().toList()) {
                if (line.startsWith("    {")) {
                    bodies++;
                    fits(JSON.readTree(line), answer, description);
                }
            }
        }
        assertThat(bodies).isGreaterThan(10);
    }

    /** One of the schemas of the answer has all members of the body, and the body has all members that the schema requires. */
    private static void fits(JsonNode body, JsonNode answer, JsonNode description) {
        JsonNode resolved = resolve(answer, description);
        List<JsonNode> schemas = new ArrayList<>();
        resolved.path("content").forEach(content -> schemas.add(resolve(content.path("schema"), description)));
        assertThat(schemas).as(body.toString()).anySatisfy(schema -> {
            assertThat(body.fieldNames())
                    .toIterable()
                    .allSatisfy(name ->
                            assertThat(schema.path("properties").has(name)).isTrue());
            assertThat(schema.path("required"))
                    .allSatisfy(name -> assertThat(body.has(name.asText())).isTrue());
        });
    }

    private static JsonNode resolve(JsonNode node, JsonNode description) {
        return node.has("$ref") ? description.at(node.path("$ref").asText().substring(1)) : node;
    }

    private static List<String> requestsOf(List<OpenApiOperation> operations) {
        return operations.stream().map(OpenApiOperation::request).collect(Collectors.toList());
    }

    private static List<String> mappingsOf(Path controller) throws IOException {
        String source = Files.readString(controller);
        Matcher owner =
                Pattern.compile("@RequestMapping\\(path = (\\w+)\\.PATH").matcher(source);
        assertThat(owner.find()).as(controller.toString()).isTrue();
        Matcher path = Pattern.compile("PATH = \"([^\"]+)\"")
                .matcher(Files.readString(controller.resolveSibling(owner.group(1) + ".java")));
        assertThat(path.find()).as(controller.toString()).isTrue();
        return MAPPING.matcher(source)
                .results()
                .map((MatchResult found) -> found.group(1).toUpperCase(Locale.ROOT) + " " + path.group(1)
                        + (found.group(2) == null ? "" : found.group(2)))
                .toList();
    }
}
