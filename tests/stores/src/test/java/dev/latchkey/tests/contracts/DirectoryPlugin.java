package dev.latchkey.tests.contracts;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A plugin over HTTP with the whole contract; a broken plugin overrides a method. */
class DirectoryPlugin implements LoginSource<PasswordCredentials> {

    /** Short, for a backend that does not answer. */
    static final Duration TIMEOUT = Duration.ofMillis(400);

    private final URI backend;
    private final Duration timeout;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final HttpClient client;
    private volatile boolean closed;

    DirectoryPlugin(URI backend) {
        this(backend, HttpClient.Redirect.NEVER, TIMEOUT);
    }

    DirectoryPlugin(URI backend, HttpClient.Redirect redirect, Duration timeout) {
        this.backend = backend;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .followRedirects(redirect)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .executor(threads)
                .build();
    }

    @Override
    public String name() {
        return "directory";
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials login, RequestContext context) {
        if (closed) {
            throw AuthUnavailableException.outage("The directory plugin is closed");
        }
        return ask(login);
    }

    Decision ask(PasswordCredentials login) {
        try {
            return decision(answer(client, request(backend, login)));
        } catch (IOException | TimeoutException e) {
            return failed(e, login);
        }
    }

    Decision failed(Exception e, PasswordCredentials login) {
        throw AuthUnavailableException.outage("The directory does not answer", e);
    }

    HttpRequest request(URI backend, PasswordCredentials login) {
        String body = login.username() + "\n" + login.password().<String>withText(CharSequence::toString);
        return HttpRequest.newBuilder(backend)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** @param from where it came from in the end */
    record Answer(int status, String body, URI from) {}

    Answer answer(HttpClient client, HttpRequest request) throws IOException, TimeoutException {
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            HttpResponse<String> whole = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(whole.statusCode(), whole.body(), whole.uri());
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            answer.cancel(true);
        }
    }

    Decision decision(Answer answer) throws IOException {
        if (answer.status() == 200 && answer.body().equals("yes")) {
            return Authenticated.as(Subject.of("ada"));
        }
        if (answer.status() == 200 && answer.body().equals("no")) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
        throw new IOException("The directory answered " + answer.status());
    }

    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
    }
}
