package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.engine.AuthEvent;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;

/** The tags of a decision: {@code plugin}, {@code kind}, {@code outcome} and {@code reason}. */
final class AuthTags {

    static final String NONE = "none";

    private AuthTags() {}

    static Tags of(AuthEvent.Decided event) {
        if (event.verdict() instanceof Rejected rejected) {
            return tags(
                    event.plugin(), event.kind(), "rejected", rejected.reason().code());
        }
        String outcome = event.verdict() instanceof Challenged ? "challenged" : "authenticated";
        return tags(event.plugin(), event.kind(), outcome, NONE);
    }

    static Tags of(AuthEvent.Unavailable event) {
        String cause = event.cause().name().toLowerCase(Locale.ROOT);
        return tags(event.plugin(), event.kind(), "unavailable", cause);
    }

    static Tags of(AuthEvent.Failed event) {
        return tags(event.plugin(), event.kind(), "failed", "plugin");
    }

    static Tags ofAccess(String plugin, String outcome) {
        return Tags.of("plugin", orNone(plugin), "outcome", outcome);
    }

    /** If all plugins abstained, the tag is {@code none}. A registry takes no empty value. */
    static String orNone(String plugin) {
        return plugin.isEmpty() ? NONE : plugin;
    }

    /** The tag value of a kind. All kinds of plugins share one value, since their number has no bound. */
    static String kindOf(Class<? extends Credentials> kind) {
        if (kind == PasswordCredentials.class) {
            return "password";
        }
        if (kind == ChallengeResponse.class) {
            return "response";
        }
        return kind == BearerToken.class ? "bearer" : "other";
    }

    private static Tags tags(String plugin, Class<? extends Credentials> kind, String outcome, String reason) {
        return Tags.of("plugin", orNone(plugin), "kind", kindOf(kind), "outcome", outcome, "reason", reason);
    }
}
