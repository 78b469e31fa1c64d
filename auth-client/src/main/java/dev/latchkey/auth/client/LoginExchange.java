package dev.latchkey.auth.client;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.client.wire.BoundedBody;
import dev.latchkey.auth.client.wire.DirectLoopback;
import dev.latchkey.auth.client.wire.FormBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Logins and refreshes over HTTP: sends a request and reads the answer. Redirects are not followed, because the
 * redirect's target would get the password.
 *
 * <p>After a broken connection, the request is sent once more at once, within the same time limit. A restarted server
 * has closed its idle connections. A second login does no harm. A rejected second refresh leads to a login
 * ({@link TokenGrants}).
 */
final class LoginExchange {

    private static final int MOST_BYTES = 1 << 16;

    private final LoginEndpoint endpoint;
    private final Duration timeout;
    private final LoginAnswers answers;
    private final HttpClient client;
    private final LongSupplier nanos = System::nanoTime;

    LoginExchange(LoginEndpoint endpoint, ClientSettings settings) {
        this.endpoint = endpoint;
        this.timeout = settings.loginTimeout();
        this.answers = new LoginAnswers(settings.clock());
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new DirectLoopback())
                .connectTimeout(settings.connectTimeout())
                .build();
    }

    /** Gets a token for the credentials; fails with a {@link LoginFailedException}. */
    CompletableFuture<TokenAnswer> login() {
        return post("login", endpoint.address(), endpoint.fields(), endpoint.shape());
    }

    /** Gets a token for a refresh token (RFC 6749 section 6), from the endpoint's refresh address. */
    CompletableFuture<TokenAnswer> refresh(URI address, Secret refreshToken) {
        Map<String, Secret> fields = new LinkedHashMap<>();
        fields.put("grant_type", Secret.of("refresh_token"));
        fields.put("refresh_token", refreshToken);
        // A server answers a grant type as in RFC 6749, even if its logins have another form.
        return post("refresh", address, fields, LoginShape.OAUTH);
    }

    private CompletableFuture<TokenAnswer> post(
            String action, URI address, Map<String, Secret> fields, LoginShape shape) {
        String subject = "The " + action + " at " + LoginEndpoint.textOf(address);
        FormBody form = FormBody.of(fields);
        HttpRequest request = requestOf(address, form);
        long end = nanos.getAsLong() + timeout.toNanos();
        return send(request, end)
                .exceptionallyCompose(failure ->
                        isBroken(causeOf(failure)) ? send(request, end) : CompletableFuture.failedFuture(failure))
                .whenComplete((response, failure) -> form.close())
                .handle((response, failure) -> {
                    if (failure != null) {
                        throw unavailable(subject, causeOf(failure));
                    }
                    return answers.read(response, shape, subject);
                });
    }

    private HttpRequest requestOf(URI address, FormBody form) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", FormBody.TYPE)
                .header("Accept", "application/json")
                .POST(form.publisher());
        endpoint.basic()
                .ifPresent(
                        basic -> request.header(Authorization.FIELD, basic.<String>withText(CharSequence::toString)));
        return request.build();
    }

    /** Limits the time until the last byte of the body: a time-out of {@link HttpRequest} ends with the head. */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest request, long end) {
        CompletableFuture<HttpResponse<byte[]>> exchange =
                client.sendAsync(request, head -> new BoundedBody(MOST_BYTES));
        return exchange.copy()
                .orTimeout(Math.max(1, end - nanos.getAsLong()), TimeUnit.NANOSECONDS)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        exchange.cancel(true);
                    }
                });
    }

    private static boolean isBroken(Throwable failure) {
        return failure instanceof IOException
                && !(failure instanceof ProtocolException)
                && !(failure instanceof ConnectException)
                && !(failure instanceof HttpTimeoutException);
    }

    private LoginFailedException unavailable(String subject, Throwable failure) {
        if (failure instanceof TimeoutException) {
            return LoginFailedException.of(
                    LoginFailedException.Kind.UNAVAILABLE,
                    subject + " had no answer within " + timeout.toMillis() + " ms");
        }
        String message = subject + " failed: " + failure.getClass().getSimpleName();
        return saysWhatCame(failure)
                ? LoginFailedException.of(LoginFailedException.Kind.UNAVAILABLE, message)
                : LoginFailedException.unavailable(message, failure);
    }

    /** Whether the failure's message may repeat the server's answer, which may contain the sent credentials. */
    private static boolean saysWhatCame(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof ProtocolException || each instanceof IllegalArgumentException) {
                return true;
            }
        }
        return false;
    }

    /** Converts a future's failure to a failed login. */
    static LoginFailedException failureOf(Throwable failure) {
        Throwable cause = causeOf(failure);
        return cause instanceof LoginFailedException known
                ? known
                : LoginFailedException.unavailable("The login could not be tried", cause);
    }

    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
