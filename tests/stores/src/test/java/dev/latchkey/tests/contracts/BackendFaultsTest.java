package dev.latchkey.tests.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.HttpBackend;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit's findings with a failing backend. */
class BackendFaultsTest {

    private static final Duration TIMEOUT = DirectoryPlugin.TIMEOUT;
    private static final String FAILS = "backendThatFails_isAnOutageInTime_andIsAskedAgain";

    /** Findings after all of the kit's patience. An answer shows every other finding, however late the answer comes. */
    private static final Set<String> FOUND_BY_WAITING = Set.of("no answer within", "still an outage");

    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(20);

    /** A rule, a fault against the rule, the text of the failure, and the plugin. */
    static Stream<Arguments> broken() {
        return Stream.of(
                finds(FAILS, "refuses", "answered Rejected", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Decision failed(Exception e, PasswordCredentials login) {
                        return Rejected.because(RejectionReason.BAD_CREDENTIALS);
                    }
                }),
                finds(FAILS, "lets connections wait", "threw java.io.UncheckedIOException", uri -> {
                    return new DirectoryPlugin(uri) {
                        @Override
                        Decision failed(Exception e, PasswordCredentials login) {
                            throw new UncheckedIOException(new IOException(e));
                        }
                    };
                }),
                finds(FAILS, "answers what is no HTTP", "blames the caller", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Decision failed(Exception e, PasswordCredentials login) {
                        throw AuthUnavailableException.throttled("Slow down", Duration.ofSeconds(1));
                    }
                }),
                finds(FAILS, "answers nothing", "no answer within", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Answer answer(HttpClient client, HttpRequest request) throws IOException {
                        var answer = patient(() -> client.send(request, HttpResponse.BodyHandlers.ofString()));
                        return new Answer(answer.statusCode(), answer.body(), answer.uri());
                    }
                }),
                finds(FAILS, "answers nothing", "a secret was printed as text", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Decision failed(Exception e, PasswordCredentials login) {
                        throw AuthUnavailableException.outage(
                                "No answer for " + login.password().<String>withText(CharSequence::toString));
                    }
                }),
                finds(FAILS, "does not end it", "no answer within", DirectoryPluginWithAHalfTimeOut::new),
                finds(FAILS, "answers 500", "answered Rejected", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Decision decision(Answer answer) throws IOException {
                        return answer.status() == 500
                                ? Rejected.because(RejectionReason.BAD_CREDENTIALS)
                                : super.decision(answer);
                    }
                }),
                finds(FAILS, "an HTML page", "answered Authenticated", uri -> new DirectoryPlugin(uri) {
                    @Override
                    Decision decision(Answer answer) {
                        return answer.status() == 200 && !answer.body().contains("no")
                                ? Authenticated.as(Subject.of("ada"))
                                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
                    }
                }),
                finds(FAILS, "another server (302)", "answered Rejected", uri -> {
                    return new DirectoryPlugin(uri, HttpClient.Redirect.ALWAYS, TIMEOUT);
                }),
                finds(FAILS, "the body (307)", "answered Authenticated", uri -> {
                    return new DirectoryPlugin(uri, HttpClient.Redirect.ALWAYS, TIMEOUT);
                }),
                finds(FAILS, "the body (307)", "followed a redirect to another origin", uri -> {
                    return new DirectoryPlugin(uri, HttpClient.Redirect.ALWAYS, TIMEOUT) {
                        @Override
                        Answer answer(HttpClient client, HttpRequest request) throws IOException, TimeoutException {
                            Answer answer = super.answer(client, request);
                            if (!answer.from().equals(request.uri())) {
                                throw new IOException("Redirected");
                            }
                            return answer;
                        }
                    };
                }),
                finds(FAILS, "answers 503", "still an outage", uri -> new DirectoryPlugin(uri) {
                    private volatile boolean open;

                    @Override
                    Decision ask(PasswordCredentials login) {
                        if (open) {
                            return failed(new IOException("open"), login);
                        }
                        return super.ask(login);
                    }

                    @Override
                    Decision decision(Answer answer) throws IOException {
                        open |= answer.status() == 503;
                        return super.decision(answer);
                    }
                }),
                finds(
                        "backendThatHangs_isAnOutageInTimeForManyAtOnce",
                        "platform",
                        "no answer within",
                        uri -> new DirectoryPlugin(uri) {
                            @Override
                            synchronized Decision ask(PasswordCredentials login) {
                                return super.ask(login);
                            }
                        }),
                finds(
                        "callerInterruptedWhileTheBackendHangs_isToldAnOutage",
                        "hangs",
                        "set the flag of the interrupted thread again",
                        uri -> {
                            return new DirectoryPlugin(uri, HttpClient.Redirect.NEVER, LONG) {
                                @Override
                                Decision failed(Exception e, PasswordCredentials login) {
                                    boolean wasInterrupted = Thread.interrupted();
                                    throw AuthUnavailableException.outage("interrupted: " + wasInterrupted);
                                }
                            };
                        }),
                finds("backend_isSentNoSecretInAPath", "", "in the path of a request", uri -> {
                    return new DirectoryPlugin(uri) {
                        @Override
                        HttpRequest request(URI backend, PasswordCredentials login) {
                            String query =
                                    login.username() + "\n" + login.password().<String>withText(CharSequence::toString);
                            String encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
                            return HttpRequest.newBuilder(backend.resolve("/?" + encoded))
                                    .build();
                        }
                    };
                }),
                finds(
                        "closedPlugin_doesNotAskItsBackend",
                        "",
                        "asked the backend for valid credentials, after close()",
                        uri -> {
                            return new DirectoryPlugin(uri) {
                                @Override
                                public void close() {}
                            };
                        }));
    }

    /** The first request of a JVM takes longer than a time-out that is short for a test. */
    @BeforeAll
    static void loadTheClient() {
        assertThat(KitRun.failure("backend_isSentNoSecretInAPath", new DirectoryContractTest()))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1}, {2}")
    @MethodSource("broken")
    void brokenPlugin_isFound_andTheFaultNamed(String rule, String fault, String says, HttpBackend.PluginAt plugin) {
        Optional<Throwable> failure = KitRun.failure(rule, fault, new DirectoryContractTest() {
            @Override
            protected Optional<HttpBackend> backend() {
                return Optional.of(HttpBackend.of(plugin, DirectoryContractTest::answer, TIMEOUT)
                        .withGrace(FOUND_BY_WAITING.contains(says) ? SHORT : LONG));
            }
        });
        assertThat(failure).hasValueSatisfying(thrown -> {
            assertThat(thrown.getMessage()).contains(says);
            if (rule.equals(FAILS) && !says.startsWith("followed")) {
                assertThat(thrown.getMessage()).contains(fault);
            }
        });
    }

    private static Arguments finds(String rule, String fault, String says, HttpBackend.PluginAt plugin) {
        return Arguments.of(rule, fault, says, plugin);
    }

    private interface Call<T> {
        T run() throws IOException, InterruptedException;
    }

    private static <T> T patient(Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The client's own time-out ends with the head of an answer. */
    private static final class DirectoryPluginWithAHalfTimeOut extends DirectoryPlugin {

        DirectoryPluginWithAHalfTimeOut(URI uri) {
            super(uri);
        }

        @Override
        Answer answer(HttpClient client, HttpRequest request) throws IOException {
            HttpRequest limited = HttpRequest.newBuilder(request, (name, value) -> true)
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<InputStream> answer =
                    patient(() -> client.send(limited, HttpResponse.BodyHandlers.ofInputStream()));
            try (InputStream body = answer.body()) {
                String text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                return new Answer(answer.statusCode(), text, answer.uri());
            }
        }
    }
}
