package dev.latchkey.auth.spring.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/endpoints.md} shows what is played against services of both stacks, and names the paths and changes that there are. */
class EndpointsReferenceTest {

    private static final Path PAGE = Path.of("..", "docs", "reference", "endpoints.md");

    /** Sections of {@code endpoints.txt}, and what they show. */
    private static final List<Map.Entry<String, String>> SHOWN = List.of(
            Map.entry("formAndJson_bothLogIn_inTheShapeOfOAuth", "A login, by a form and by JSON"),
            Map.entry("oauthClient_getsErrorsOfRfc6749", "A client that speaks OAuth"),
            Map.entry("refreshToken_isGoodForItsClientAlone", "A refresh token in the hands of another client"),
            Map.entry("sixthWrongPassword_is429", "Too many wrong passwords"),
            Map.entry("refresh_replacesTheToken_andTheOldOneEndsTheLogin", "A refresh, and the old token once more"),
            Map.entry("revocation_takesEitherToken_andAnswersTheSameForAny", "A revocation"),
            Map.entry("loginOfNacos_readsTheNameFromTheUrl_andAnswersInItsShape", "A login in the shape of Nacos"),
            Map.entry("fullAccount_refusesALogin_inOneWordForTheOwnerAndTheThief", "An account that is full"));

    @Test
    void exchanges_areThoseThatArePlayed() throws IOException {
        String played = transcript();
        StringBuilder shown = new StringBuilder();
        for (Map.Entry<String, String> section : SHOWN) {
            shown.append("\n### ")
                    .append(section.getValue())
                    .append("\n\n```\n")
                    .append(Exchanges.of(section.getKey(), played))
                    .append("```\n");
        }
        ReferencePage.hasPart("endpoints.md", "exchanges", shown + "\n");
    }

    @Test
    void tablesOfEndpoints_areThatOfTheOpenApiDescription() throws IOException {
        ReferencePage.hasPart("endpoints.md", "endpoints", OpenApiTable.page(OpenApiTable.starter()));
        ReferencePage.hasPart("endpoints.md", "endpoints of plugins", OpenApiTable.page(OpenApiTable.plugins()));
    }

    @Test
    void paths_areBelowTheDefaultOfTheirProperty() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(Metadata.properties())
                .filteredOn(property -> property.name().matches("latchkey\\.login\\..*path"))
                .hasSize(2)
                .allSatisfy(property -> assertThat(page).contains("`" + property.name() + "`"))
                .filteredOn(property -> property.name().endsWith("base-path"))
                .allSatisfy(property -> assertThat(page)
                        .contains("`POST " + property.byDefault() + "/token`")
                        .contains("`DELETE " + property.byDefault() + "/logins/{id}`"));
    }

    @Test
    void endpointsOfTheActuator_areThoseOfBothStarters() throws IOException {
        StringBuilder sources = new StringBuilder();
        for (String folder : List.of("auth-spring-boot-starter", "throttle-spring-boot-starter")) {
            try (Stream<Path> files = Files.walk(Path.of("..", folder, "src", "main", "java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith("Endpoint.java"))
                        .toList()) {
                    sources.append(Files.readString(file));
                }
            }
        }
        assertThat(named("/actuator/(latchkey[a-z]*)", Files.readString(PAGE)))
                .isNotEmpty()
                .isEqualTo(named("@Endpoint\\(id = \"([a-z]+)\"", sources.toString()));
    }

    private static Set<String> named(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String transcript() throws IOException {
        try (InputStream file = Objects.requireNonNull(
                EndpointsReferenceTest.class.getResourceAsStream("/dev/latchkey/auth/spring/endpoints.txt"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
