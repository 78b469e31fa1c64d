package dev.latchkey.examples.directory;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginEnvironment;
import dev.latchkey.auth.factory.PluginSetting;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The settings of a single directory, and their effects on HTTP.
 *
 * @param serviceKey the key of the service itself at the directory
 * @param timeout the time for the connection, the question and the whole answer
 * @param maxCalls the maximum number of calls and connections at a time
 * @param pause the time without calls after half of the last 20 calls have failed
 */
record DirectorySettings(
        URI url, Secret serviceKey, Duration connectTimeout, Duration timeout, int maxCalls, Duration pause) {

    private static final int JUDGED_BY_LAST_CALLS = 20;
    private static final int LEAST_CALLS = 5;

    private static final PluginSetting<URI> URL = PluginSetting.text("url", "the address that answers logins")
            .must(DirectorySettings::isPrivate, "an https address; http is for this machine alone")
            .as("an address", URI::create)
            .required();

    private static final PluginSetting<Secret> SERVICE_KEY =
            PluginSetting.secret("service-key", "sent as Authorization: Bearer").required();

    private static final PluginSetting<Duration> CONNECT_TIMEOUT = PluginSetting.duration(
                    "connect-timeout", "the time limit for the connection")
            .withDefault("1s");

    private static final PluginSetting<Duration> TIMEOUT = PluginSetting.duration(
                    "timeout", "the time limit for the whole call, to the last byte of the answer")
            .withDefault("2s");

    private static final PluginSetting<Long> MAX_CALLS = PluginSetting.number(
                    "max-calls", "concurrent calls, and so connections; a further call is answered 503")
            .within("1", "1000")
            .withDefault("32");

    private static final PluginSetting<Duration> PAUSE = PluginSetting.duration(
                    "pause", "the time without calls after half of the last 20 calls have failed")
            .withDefault("5s");

    static final List<PluginSetting<?>> ALL = List.of(URL, SERVICE_KEY, CONNECT_TIMEOUT, TIMEOUT, MAX_CALLS, PAUSE);

    static DirectorySettings of(PluginEnvironment environment) {
        return new DirectorySettings(
                environment.get(URL),
                environment.get(SERVICE_KEY),
                environment.get(CONNECT_TIMEOUT),
                environment.get(TIMEOUT),
                Math.toIntExact(environment.get(MAX_CALLS)),
                environment.get(PAUSE));
    }

    /** Each instance has its own client: an outage of a directory does not affect other directories. */
    CircuitBreaker newCircuit(String name) {
        return CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindowSize(JUDGED_BY_LAST_CALLS)
                        .minimumNumberOfCalls(LEAST_CALLS)
                        .waitDurationInOpenState(pause)
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .build());
    }

    /** No redirects: the target of a redirect would get the passwords. */
    HttpClient newClient(Executor threads) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .executor(threads)
                .build();
    }

    HttpRequest requestOf(PasswordCredentials login) throws JsonProcessingException {
        return HttpRequest.newBuilder(url)
                .header("Authorization", "Bearer " + serviceKey.<String>withText(CharSequence::toString))
                .header("Content-Type", "application/json")
                .POST(DirectoryRequest.bodyOf(login))
                .build();
    }

    /** Passwords go there. */
    private static boolean isPrivate(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null
                    && ("https".equals(uri.getScheme())
                            || ("http".equals(uri.getScheme())
                                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress()));
        } catch (IllegalArgumentException | UnknownHostException e) {
            return false;
        }
    }
}
