package dev.latchkey.examples.pin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Asks an HTTP directory about a password and then about a PIN. Only accounts of this directory have a PIN, so {@link
 * #authenticate} sends the challenge and {@link #wanted} challenges no other login. Safe for use by any number of threads.
 */
final class PinDirectoryPlugin implements LoginSource<PasswordCredentials>, LoginStep {

    private static final int LONGEST_SECRET = 256;
    private static final String NO_ACCOUNT = "-no-account-";
    private static final String YES = " yes";

    private final String name;
    private final URI directory;
    private final Duration timeout;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpClient client;
    private volatile boolean closed;

    PinDirectoryPlugin(String name, URI directory, Duration timeout) {
        this.name = name;
        this.directory = directory;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(threads)
                .build();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    /** The answers have the directory's spelling of the name. */
    @Override
    public boolean hasStoredNames() {
        return true;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        if (!canBeAsked(login.username(), login.password())) {
            return Rejected.because(RejectionReason.MALFORMED);
        }
        return account("/password", login.username(), login.password())
                .<Decision>map(account -> Challenged.by(Authenticated.as(Subject.of(account)), "pin")
                        .withState(Secret.of(account))
                        .withParameter("digits", 6))
                .orElse(Rejected.because(RejectionReason.BAD_CREDENTIALS));
    }

    /** One call, as for a wrong password, so that the time does not show which source has the name. */
    @Override
    public void unrecognized(PasswordCredentials login) {
        authenticate(new PasswordCredentials(NO_ACCOUNT, login.password()), RequestContext.none());
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return Optional.empty();
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        // The subject's id may have the name of this plugin as prefix. The directory knows the name alone.
        String account = response.challenge()
                .state()
                .map(state -> state.<String>withText(CharSequence::toString))
                .orElse("");
        Secret pin = response.code().orElse(null);
        if (pin == null || !canBeAsked(account, pin)) {
            return Rejected.because(RejectionReason.MALFORMED);
        }
        return account("/pin", account, pin).isPresent()
                ? Passed.step().withAuthorities(Set.of("ROLE_VERIFIED"))
                : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    private static boolean canBeAsked(String account, Secret secret) {
        return Subject.isId(account)
                && secret.length() <= LONGEST_SECRET
                && StandardCharsets.UTF_8.newEncoder().canEncode(account);
    }

    /** The account in the directory's spelling, because a revocation needs one name; empty if the secret is wrong. */
    private Optional<String> account(String path, String account, Secret secret) {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin " + name + " is closed");
        }
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(path, account, secret), BodyHandlers.ofString());
        try { // until the last byte of the body: the client's own time-out ends with the head
            return accountIn(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The call of " + name + " was interrupted");
        } catch (Exception e) {
            throw AuthUnavailableException.outage("The directory of " + name + " gave no answer", e);
        } finally {
            answer.cancel(true);
        }
    }

    /** Sends the fields in the body, because logs contain paths and queries. The blank between Base64 fields is unambiguous. */
    private HttpRequest request(String path, String account, Secret secret) {
        Base64.Encoder base64 = Base64.getEncoder();
        String body = base64.encodeToString(account.getBytes(StandardCharsets.UTF_8)) + " "
                + secret.<String>withBytes(base64::encodeToString);
        return HttpRequest.newBuilder(directory.resolve(path))
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    /** Only "no", and a name before the word "yes", decide. The word comes last, so that no truncated name counts. */
    private static Optional<String> accountIn(HttpResponse<String> answer) throws IOException {
        String body = answer.body();
        if (answer.statusCode() == 200 && body.equals("no")) {
            return Optional.empty();
        }
        if (answer.statusCode() == 200 && body.endsWith(YES)) {
            String account = body.substring(0, body.length() - YES.length());
            if (Subject.isId(account)) {
                return Optional.of(account);
            }
        }
        throw new IOException("The directory answered with the status " + answer.statusCode());
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
    }
}
