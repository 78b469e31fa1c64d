package dev.latchkey.auth.engine;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.LoginPipeline.Devices;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The present state of accounts in all sources, for changes that one request begins and a later request confirms. */
record AccountStates(DecidedLogins decided, Roles roles, PluginCalls calls) {

    private static final Secret NO_STAMP = Secret.of("");

    /** {@link DecidedLogins#stateOf}. */
    Secret of(String subjectId) {
        MessageDigest digest = Sha256.start();
        for (LoginSource<?> source : roles.sources()) {
            // Registered credentials are no accounts: their owner may add another one meanwhile.
            if (!SubjectNames.isRegistered(source)) {
                update(digest, source.name());
                update(digest, decided.account(source.name(), subjectId).orElse(null));
            }
        }
        return Secret.of(digest.digest());
    }

    private static void update(MessageDigest digest, @Nullable Verdict account) {
        if (account instanceof Authenticated active) {
            update(digest, "active");
            update(digest, active.subject().id());
            Objects.requireNonNullElse(active.stamp(), NO_STAMP).withBytes(stamp -> update(digest, stamp));
            update(digest, String.valueOf(active.created()));
        } else {
            update(digest, account == null ? "unknown" : "not active");
        }
    }

    private static void update(MessageDigest digest, String part) {
        update(digest, part.getBytes(StandardCharsets.UTF_8));
    }

    /** Each part has its length, so different states never have the same bytes. */
    private static byte[] update(MessageDigest digest, byte[] part) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        digest.update(part);
        return part;
    }

    /** {@link DecidedLogins#areEnough}. */
    boolean areEnough(String subjectId, Factors shown, RequestContext context) {
        Authenticated login = present(subjectId).withFactors(shown);
        for (LoginStep step : roles.steps()) {
            Challenged wanted = calls.wantedStep(step, login, context, Devices.DO_NOT_COUNT);
            if (wanted != null && !shown.methods().contains(wanted.method())) {
                return false;
            }
        }
        return true;
    }

    /** A source without look-ups knows the id alone. */
    private Authenticated present(String subjectId) {
        for (LoginSource<?> source : roles.sources()) {
            if (!SubjectNames.isRegistered(source)
                    && decided.account(source.name(), subjectId).orElse(null) instanceof Authenticated account) {
                return account.decidedBy(source.name());
            }
        }
        return Authenticated.as(Subject.of(subjectId));
    }
}
