package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Tags;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;

/**
 * One observation for each check of credentials. With Boot's handlers, an observation is a timer and a span around the plugin's
 * calls. The tags name plugin, kind, outcome and reason, and never the account.
 */
final class AuthObservations implements AuthListener {

    static final String NAME = "latchkey.authentication";

    private final Supplier<ObservationRegistry> registry;

    /** The registry is looked up at the first use, when all beans exist. */
    AuthObservations(Supplier<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public AuthListener begin(Class<? extends Credentials> kind) {
        Observation observation = Observation.createNotStarted(NAME, registry.get())
                .contextualName("authenticate " + AuthTags.kindOf(kind))
                .start();
        Observation.Scope scope = observation.openScope();
        return event -> {
            scope.close();
            observation.lowCardinalityKeyValues(keyValues(event));
            if (event instanceof AuthEvent.Failed failed) {
                observation.error(new PluginFailed(failed.plugin()));
            }
            observation.stop();
        };
    }

    /** Only the end of a check makes an observation. */
    @Override
    public void on(AuthEvent event) {}

    private static KeyValues keyValues(AuthEvent event) {
        KeyValues values = KeyValues.empty();
        for (var tag : tagsOf(event)) {
            values = values.and(KeyValue.of(tag.getKey(), tag.getValue()));
        }
        return values;
    }

    private static Tags tagsOf(AuthEvent event) {
        if (event instanceof AuthEvent.Decided decided) {
            return AuthTags.of(decided);
        }
        if (event instanceof AuthEvent.Unavailable unavailable) {
            return AuthTags.of(unavailable);
        }
        return AuthTags.of((AuthEvent.Failed) event);
    }

    /** The error that a tracer shows. The plugin's own exception may contain secrets. */
    private static final class PluginFailed extends RuntimeException {

        PluginFailed(String plugin) {
            super("The plugin '" + plugin + "' broke its contract", null, false, false);
        }
    }
}
