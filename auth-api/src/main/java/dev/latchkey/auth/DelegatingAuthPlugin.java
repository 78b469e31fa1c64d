package dev.latchkey.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A decorator that passes every call on to another plugin. A subclass overrides the methods that it changes. A decorator that implements {@link
 * AuthPlugin} by itself is wrong as soon as it lacks one method: the default answers in place of the plugin, and no second step is asked for, for
 * instance.
 *
 * <p>It has the name of the other plugin. Safe for use by any number of threads if that one is.
 */
public abstract class DelegatingAuthPlugin implements AuthPlugin {

    private final AuthPlugin delegate;

    /** @param delegate the plugin that receives the calls */
    protected DelegatingAuthPlugin(AuthPlugin delegate) {
        this.delegate = Objects.requireNonNull(delegate, "delegate");
    }

    /**
     * The plugin that receives the calls.
     *
     * @return what this was made around, which may delegate itself
     */
    public final AuthPlugin delegate() {
        return delegate;
    }

    @Override
    public final String name() {
        return delegate.name();
    }

    @Override
    public boolean supports(Class<? extends Credentials> kind) {
        return delegate.supports(kind);
    }

    @Override
    public Optional<Duration> reusableFor() {
        return delegate.reusableFor();
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        return delegate.authenticate(credentials, context);
    }

    @Override
    public Optional<Challenged> secondStep(Authenticated login, RequestContext context) {
        return delegate.secondStep(login, context);
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        return delegate.remember(login, context);
    }

    @Override
    public void unrecognized(PasswordCredentials credentials) {
        delegate.unrecognized(credentials);
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        return delegate.authorize(subject, permission);
    }

    @Override
    public boolean revoke(Credentials credentials) {
        return delegate.revoke(credentials);
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        return delegate.revokeAll(subjectId, notBefore);
    }

    @Override
    public Optional<Account> account(String subjectId) {
        return delegate.account(subjectId);
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        return delegate.read(context);
    }

    @Override
    public Optional<Credentials> read(LoginGrant grant, RequestContext context) {
        return delegate.read(grant, context);
    }

    @Override
    public Optional<String> challenge() {
        return delegate.challenge();
    }

    /** Closes the other plugin. */
    @Override
    public void close() {
        delegate.close();
    }
}
