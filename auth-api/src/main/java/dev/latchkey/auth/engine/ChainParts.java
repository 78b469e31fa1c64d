package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The parts of an {@link AuthChain}.
 *
 * @param deciding set on a thread during a login of this chain, or of a chain derived from this chain
 */
record ChainParts(
        Roles roles,
        Completion completion,
        Listeners listeners,
        PluginCalls calls,
        LoginGate gate,
        CurrentLogin.Part<Boolean> deciding) {

    static ChainParts of(Roles roles) {
        InstantSource clock = InstantSource.system();
        return new ChainParts(
                roles,
                new Completion(SubjectNames.ofFirst(roles.sources()), clock),
                Listeners.NONE,
                callsBy(clock),
                LoginGate.OPEN,
                new CurrentLogin.Part<>());
    }

    private static PluginCalls callsBy(InstantSource clock) {
        return new PluginCalls(OutageLog.ofPlugins(clock));
    }

    SubjectNames names() {
        return completion.names();
    }

    InstantSource clock() {
        return completion.clock();
    }

    ChainParts withRoles(Roles roles) {
        return new ChainParts(roles, completion, listeners, calls, gate, deciding);
    }

    ChainParts withNames(SubjectNames names) {
        return new ChainParts(roles, new Completion(names, clock()), listeners, calls, gate, deciding);
    }

    ChainParts withListeners(Listeners listeners) {
        return new ChainParts(roles, completion, listeners, calls, gate, deciding);
    }

    ChainParts withClock(InstantSource clock) {
        Completion timed = new Completion(names(), Objects.requireNonNull(clock));
        return new ChainParts(roles, timed, listeners, callsBy(clock), gate, deciding);
    }

    ChainParts withGate(LoginGate gate) {
        return new ChainParts(roles, completion, listeners, calls, Objects.requireNonNull(gate), deciding);
    }

    LoginPipeline login(Credentials credentials, RequestContext context, Devices devices) {
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(context, "context");
        return new LoginPipeline(this, credentials, context, devices);
    }

    /** The gate's answer. During the call, the thread decides a login of this chain. */
    Verdict gated(LoginGate asked, Credentials credentials, Supplier<Verdict> decision) {
        CurrentLogin outer = CurrentLogin.here().with(deciding, true).bind();
        try {
            return asked.decide(credentials, Listeners.accountOf(credentials), decision);
        } finally {
            outer.bind();
        }
    }
}
