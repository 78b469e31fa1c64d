package dev.latchkey.auth.contract;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.RequestContext;
import java.util.List;
import java.util.Optional;

/**
 * Tests for the contract of {@link CredentialsReader}. Extend this class, and supply a plugin and a request with valid
 * credentials.
 */
public abstract class CredentialsReaderContract extends PluginContract<CredentialsReader> implements ReaderRules {

    static final String VALID = "a request with valid credentials";

    /** For fixtures. */
    protected CredentialsReaderContract() {}

    /**
     * A request from which every new plugin reads valid credentials.
     *
     * @return a request with at least one header field
     * @throws Exception if the fixture fails
     */
    protected abstract RequestContext requestWithCredentials() throws Exception;

    /**
     * The login source that accepts the plugin's credentials.
     *
     * @param plugin of {@link #newPlugin()}
     * @return the plugin itself unless overridden; override this method if the reader is no {@link LoginSource}
     * @throws Exception if the fixture fails
     */
    protected LoginSource<?> sourceFor(CredentialsReader plugin) throws Exception {
        return Accepted.sourceIn(plugin, "sourceFor(…)");
    }

    @Override
    final List<Probe<CredentialsReader>> probes() {
        Probe<CredentialsReader> valid = new Probe<>(
                VALID,
                reader -> () -> seenIn(reader.read(requestWithCredentials())),
                answer -> answer instanceof Optional<?> read && read.isPresent(),
                answer -> false,
                Probe.Use.OFTEN,
                Probe.Store.MAYBE);
        Probe<CredentialsReader> empty = new Probe<>(
                "a request without credentials",
                reader -> () -> reader.read(RequestContext.none()),
                Optional.empty()::equals,
                answer -> false,
                Probe.Use.OFTEN,
                Probe.Store.MAYBE);
        return List.of(valid, empty);
    }

    final Optional<Credentials> seenIn(Optional<Credentials> read) {
        read.ifPresent(this::seen);
        return read;
    }
}
