package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A plugin with scripted answers, null or an exception included, and a record of its calls. */
final class ScriptedPlugin
        implements LoginSource<Credentials>, CredentialsReader, PermissionSource, CredentialsRevoker {

    private final String name;
    private final List<String> calls;
    private RequestContext context = RequestContext.none();
    private Class<? extends Credentials> supported = Credentials.class;
    private Supplier<Decision> decision = Decision::abstained;
    private Supplier<Access> access = () -> Access.ABSTAINED;
    private Supplier<Boolean> revoked = () -> false;
    private Optional<Verdict> account = Optional.empty();
    private Supplier<Optional<Credentials>> read = Optional::empty;
    private Runnable closing = () -> {};
    private Runnable unrecognized = () -> {};

    private ScriptedPlugin(String name, List<String> calls) {
        this.name = name;
        this.calls = calls;
    }

    static ScriptedPlugin named(String name) {
        return new ScriptedPlugin(name, new ArrayList<>());
    }

    /** Several plugins share the list of calls, so the test sees the order. */
    static ScriptedPlugin named(String name, List<String> calls) {
        return new ScriptedPlugin(name, calls);
    }

    ScriptedPlugin answering(Decision answer) {
        return deciding(() -> answer);
    }

    ScriptedPlugin supporting(Class<? extends Credentials> kind) {
        supported = kind;
        return this;
    }

    ScriptedPlugin deciding(Supplier<Decision> answer) {
        decision = answer;
        return this;
    }

    ScriptedPlugin authorizing(Supplier<Access> answer) {
        access = answer;
        return this;
    }

    ScriptedPlugin revoking(Supplier<Boolean> answer) {
        revoked = answer;
        return this;
    }

    ScriptedPlugin knowing(Verdict answer) {
        account = Optional.of(answer);
        return this;
    }

    ScriptedPlugin reading(Supplier<Optional<Credentials>> answer) {
        read = answer;
        return this;
    }

    ScriptedPlugin closing(Runnable action) {
        closing = action;
        return this;
    }

    ScriptedPlugin atTheEnd(Runnable action) {
        unrecognized = action;
        return this;
    }

    /** The context of the last call. */
    RequestContext context() {
        return context;
    }

    List<String> calls() {
        return calls;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    @SuppressWarnings("unchecked") // This plugin reads no credentials.
    public Class<Credentials> kind() {
        return (Class<Credentials>) supported;
    }

    @Override
    public Decision authenticate(Credentials credentials, RequestContext context) {
        calls.add(name + ".authenticate");
        this.context = context;
        return decision.get();
    }

    @Override
    public void unrecognized(Credentials credentials) {
        calls.add(name + ".unrecognized");
        unrecognized.run();
    }

    @Override
    public Access authorize(Subject subject, Permission permission) {
        calls.add(name + ".authorize");
        return access.get();
    }

    @Override
    public boolean revoke(Credentials credentials) {
        calls.add(name + ".revoke");
        return revoked.get();
    }

    @Override
    public boolean revokeAll(String subjectId, Instant notBefore) {
        calls.add(name + ".revokeAll " + subjectId + " " + notBefore);
        return revoked.get();
    }

    @Override
    public boolean isRevoked(String subjectId, Instant provedAt) {
        calls.add(name + ".isRevoked " + subjectId + " " + provedAt);
        return revoked.get();
    }

    @Override
    public Optional<Verdict> account(String subjectId) {
        calls.add(name + ".account " + subjectId);
        return account;
    }

    @Override
    public Optional<Credentials> read(RequestContext context) {
        calls.add(name + ".read");
        this.context = context;
        return read.get();
    }

    @Override
    public void close() {
        calls.add(name + ".close");
        closing.run();
    }
}
