package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.http.AuthorizedHttpClient;
import dev.latchkey.auth.client.spring.AuthorizingInterceptor;
import dev.latchkey.auth.client.webflux.AuthorizingFilter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** The code of the README is the code of this test. */
@Timeout(60)
class ReadmeTest {

    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    @Test
    void firstSnippet_holds() throws Exception {
        try (LoginServer server = new LoginServer(InstantSource.system())) {
            URI accounts = server.at("/auth/token");
            URI orders = server.at("/api");
            Secret password = Secret.of(LoginServer.PASSWORD);
            // snippet
            LoginEndpoint login = LoginEndpoint.ofLatchkey(accounts, "robot", password);
            ClientSettings settings = ClientSettings.defaults().withOrigin(orders);
            TokenAuthorizer tokens = TokenAuthorizer.of(login, settings); // one for the whole service

            HttpClient client = AuthorizedHttpClient.with(tokens); // and one of these
            HttpRequest request = HttpRequest.newBuilder(orders)
                    .timeout(Duration.ofSeconds(10))
                    .build();
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            // end
            assertThat(answer.body()).isEqualTo("hello");
            callBySpring(tokens, orders);
            assertThat(server.logins()).isEqualTo(1);
        }
    }

    private static void callBySpring(TokenAuthorizer tokens, URI orders) {
        // snippet
        RestClient rest =
                RestClient.builder().apply(AuthorizingInterceptor.with(tokens)).build();
        // end
        assertThat(rest.get().uri(orders).retrieve().body(String.class)).isEqualTo("hello");
        // snippet
        RestTemplate template = new RestTemplate();
        AuthorizingInterceptor.addTo(template, tokens);
        // end
        assertThat(template.getForObject(orders, String.class)).isEqualTo("hello");
        // snippet
        WebClient web =
                WebClient.builder().apply(AuthorizingFilter.with(tokens)).build();
        // end
        assertThat(web.get().uri(orders).retrieve().bodyToMono(String.class).block(Duration.ofSeconds(30)))
                .isEqualTo("hello");
        callBy(new JdkClientHttpConnector(), tokens, orders);
    }

    private static void callBy(ClientHttpConnector connector, TokenAuthorizer tokens, URI orders) {
        // snippet
        WebClient own = WebClient.builder()
                .clientConnector(connector)
                .filter(AuthorizingFilter.whereNoRedirectIsFollowed(tokens))
                .build();
        // end
        assertThat(own.get().uri(orders).retrieve().bodyToMono(String.class).block(Duration.ofSeconds(30)))
                .isEqualTo("hello");
    }

    @Test
    void otherLogins_areMade() {
        Secret password = Secret.of(LoginServer.PASSWORD);
        URI api = URI.create("https://api.example/");
        // snippet
        LoginEndpoint nacos =
                LoginEndpoint.ofNacos(URI.create("https://nacos.example/nacos/v3/auth/user/login"), "nacos", password);
        LoginEndpoint oauth = LoginEndpoint.ofClientCredentials(
                        URI.create("https://id.example/oauth2/token"), "orders", password)
                .withScope("read");
        HttpClient basic = AuthorizedHttpClient.with(BasicAuthorizer.of(api, "robot", password));
        // end
        assertThat(List.of(nacos, oauth, basic)).doesNotContainNull();
    }

    @Test
    void tokenOfTheCaller_isPassedOn() throws Exception {
        try (LoginServer server = new LoginServer(InstantSource.system())) {
            LoginEndpoint login =
                    LoginEndpoint.ofLatchkey(server.at("/auth/token"), "robot", Secret.of(LoginServer.PASSWORD));
            String token = TokenAuthorizer.of(login)
                    .current()
                    .get(30, TimeUnit.SECONDS)
                    .fieldValue();
            Summary controller = new Summary(RestClient.create(server.at("/api").toString()));
            assertThat(controller.summary(token)).isEqualTo("hello");
        }
    }

    private record Summary(RestClient orders) {

        // snippet
        @GetMapping("/summary")
        String summary(@RequestHeader("Authorization") String token) {
            return orders.get().header("Authorization", token).retrieve().body(String.class);
        }
        // end
    }

    @Test
    void codeOfTheReadme_isThatOfThisTest() throws IOException {
        String source =
                withoutMargins(Files.readString(Path.of("src/test/java/dev/latchkey/auth/client/ReadmeTest.java")));
        List<String> snippets = JAVA.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(snippets).hasSize(5).allSatisfy(snippet -> {
            for (String part : snippet.split("\n\n// or\n", -1)) {
                assertThat(source).contains("// snippet\n" + withoutMargins(part) + "// end\n");
            }
        });
    }

    private static String withoutMargins(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n", "", "\n"));
    }
}
