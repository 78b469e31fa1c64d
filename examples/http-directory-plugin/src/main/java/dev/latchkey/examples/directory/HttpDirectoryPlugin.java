package dev.latchkey.examples.directory;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Asks an HTTP directory about names and passwords. Only the answers of {@link DirectoryAnswer} decide; all other answers are
 * an outage. Safe for use by any number of threads.
 */
final class HttpDirectoryPlugin implements LoginSource<PasswordCredentials> {
    private static final String NO_ACCOUNT = "-no-account-";
    private final String name;
    private final DirectorySettings settings;
    private final CircuitBreaker circuit;
    private final Semaphore calls;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpClient client;
    private volatile boolean closed;

    HttpDirectoryPlugin(String name, DirectorySettings settings) {
        this.name = name;
        this.settings = settings;
        this.circuit = settings.newCircuit(name);
        this.calls = new Semaphore(settings.maxCalls());
        this.client = settings.newClient(threads);
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
        if (!DirectoryRequest.canHold(login)) {
            return Rejected.because(RejectionReason.MALFORMED);
        } else if (closed) {
            throw AuthUnavailableException.outage("The plugin " + name + " is closed");
        } else if (!calls.tryAcquire()) {
            throw AuthUnavailableException.overload("No call of " + name + " is free", Duration.ofSeconds(1));
        }
        try {
            return circuit.executeCallable(() -> ask(login));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The call of " + name + " was interrupted");
        } catch (Exception e) {
            throw AuthUnavailableException.outage("The directory of " + name + " gave no answer", e);
        } finally {
            calls.release();
        }
    }

    /** One call, as for a wrong password, so that the time does not show which source has the name. */
    @Override
    public void unrecognized(PasswordCredentials login) {
        authenticate(new PasswordCredentials(NO_ACCOUNT, login.password()), RequestContext.none());
    }

    private Decision ask(PasswordCredentials login) throws Exception {
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(settings.requestOf(login), DirectoryAnswer.BODY);
        try { // until the last byte of the body: the client's own time-out ends with the head
            return DirectoryAnswer.of(answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS));
        } finally {
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
    }
}
