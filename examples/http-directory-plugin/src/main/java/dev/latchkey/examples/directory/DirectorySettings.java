package dev.latchkey.examples.directory;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.Secret;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * What configuration says of one directory, and what follows from it for HTTP.
 *
 * @param serviceKey with which the service itself is known to the directory
 * @param timeout for everything: to connect, to ask and to read the answer
 * @param maxCalls at the same time, and with them connections
 * @param pause for which a directory that failed is left alone
 */
record DirectorySettings(
        URI url, Secret serviceKey, Duration connectTimeout, Duration timeout, int maxCalls, Duration pause) {

    private static final int JUDGED_BY_LAST_CALLS = 20;
    private static final int LEAST_CALLS = 5;

    /** Asks for every key, so that one that is unknown is told. */
    static DirectorySettings of(PluginConfig config) {
        String url = config.text("url").orElseThrow(config.missing("url"));
        if (!isPrivate(url)) {
            throw config.wrong("url", "an https address; http is for this machine alone");
        }
        long maxCalls = config.number("max-calls").orElse(32L);
        if (maxCalls < 1 || maxCalls > 1_000) {
            throw config.wrong("max-calls", "from 1 to 1000");
        }
        return new DirectorySettings(
                URI.create(url),
                config.secret("service-key").orElseThrow(config.missing("service-key")),
                config.duration("connect-timeout").orElse(Duration.ofSeconds(1)),
                config.duration("timeout").orElse(Duration.ofSeconds(2)),
                (int) maxCalls,
                config.duration("pause").orElse(Duration.ofSeconds(5)));
    }

    /** Each instance has its own: one directory that is down does not take another one with it. */
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

    /** No redirects: who answers one gets the passwords. */
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
