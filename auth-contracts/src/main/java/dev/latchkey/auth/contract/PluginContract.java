package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.factory.AuthPluginFactory;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The common part of every role's kit: a plugin for each test, and the rules of all roles. Extend the kit of a role: {@link
 * LoginSourceContract}, {@link LoginStepContract}, {@link CredentialsReaderContract}, {@link GrantReaderContract}, {@link
 * PermissionSourceContract} or {@link CredentialsRevokerContract}.
 *
 * <p>A plugin with several roles runs several kits, as {@code @Nested} classes for example. Each test gets a new plugin, so a
 * plugin should be cheap to make: give a password source a hash of low cost, and a bounded pool room for {@value
 * ManyThreads#THREADS} callers at once. A rule about an optional method runs if the method is overridden. A failure names the
 * input. Every call of a plugin has a time limit.
 *
 * <p>Needs JUnit Jupiter, 5.12 or newer. The kits change the default locale and {@code System.out} for moments, so the tests run
 * isolated from parallel tests.
 *
 * @param <P> the role
 */
@Isolated
@Timeout(120)
public abstract class PluginContract<P extends AuthPlugin>
        implements MannersRules<P>, ThreadRules<P>, FailureRules<P>, FactoryRules<P> {

    private final Set<String> secrets = new LinkedHashSet<>();
    private @Nullable Trial<P> trial;
    private @Nullable FaultyBackend working;

    PluginContract() {}

    /**
     * A plugin that works, with the same accounts each time. Start servers before, in a {@code @BeforeEach} or by {@link #workingBackend()}: threads that
     * start here must end when the plugin is closed.
     *
     * @return another plugin at each call
     * @throws Exception if the fixture fails
     */
    protected abstract P newPlugin() throws Exception;

    /**
     * A plugin with an unavailable store.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<? extends P> newPluginInOutage() throws Exception {
        return Optional.empty();
    }

    /**
     * The plugin's HTTP backend. The kit starts the backend and breaks the backend.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<HttpBackend> backend() throws Exception {
        return Optional.empty();
    }

    /**
     * The address of the backend of {@link #backend()}, which works until the end of the test: for {@link #newPlugin()}. A plugin
     * there may have long timeouts; short timeouts are for the plugins of {@code backend()}.
     *
     * @return an address of this machine
     * @throws Exception if the backend cannot be started
     */
    protected final URI workingBackend() throws Exception {
        if (working == null) {
            working = new FaultyBackend(backend().orElseThrow().answers());
        }
        return working.uri();
    }

    /**
     * The factory for {@link java.util.ServiceLoader}.
     *
     * @return empty unless overridden
     */
    protected Optional<AuthPluginFactory> factory() {
        return Optional.empty();
    }

    /**
     * Settings of a plugin from {@link #factory()}, by key.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Map<String, String> settings() throws Exception {
        return Map.of();
    }

    /**
     * Secrets beside those of the credentials and responses, such as a service key. The kit itself finds every {@link dev.latchkey.auth.Secret} that is a
     * component of a record, and the {@link Credentials#secrets()}. No text of at least four characters may ever be printed.
     *
     * @return empty unless overridden
     */
    protected List<String> moreSecrets() {
        return List.of();
    }

    /**
     * The plugin's source of time.
     *
     * @return the system's unless overridden
     */
    protected InstantSource clock() {
        return InstantSource.system();
    }

    /** The questions of the rules of every role. */
    abstract List<Probe<P>> probes() throws Exception;

    /** The same value, with its secrets forbidden in output from now on. */
    final <T> T seen(T value) {
        synchronized (secrets) {
            secrets.addAll(Variants.secretTextsOf(value));
            if (value instanceof Credentials credentials) {
                secrets.addAll(Variants.namedSecretTextsOf(credentials));
            }
        }
        return value;
    }

    final List<String> secrets() {
        synchronized (secrets) {
            List<String> all = new ArrayList<>(secrets);
            all.addAll(moreSecrets());
            return all;
        }
    }

    /** The running test. Not for fixtures: the class is not public. */
    @Override
    public final Trial<P> trial() {
        if (trial == null) {
            trial = new Trial<>(this);
        }
        return trial;
    }

    @AfterEach
    final void closeWhatWasOpened() throws Exception {
        trial().close();
        if (working != null) {
            working.close();
        }
    }

    /** The rules are methods of interfaces, so a fixture could override a rule by mistake. */
    @Test
    final void everyRule_isThatOfTheKit() throws NoSuchMethodException {
        for (Class<?> type = getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> rules : type.getInterfaces()) {
                assertNotOverridden(rules);
            }
        }
    }

    private void assertNotOverridden(Class<?> rules) throws NoSuchMethodException {
        if (!rules.getPackage().equals(PluginContract.class.getPackage())) {
            return;
        }
        for (Method rule : rules.getDeclaredMethods()) {
            if (rule.isDefault()) {
                assertEquals(rules, getClass().getMethod(rule.getName()).getDeclaringClass(), "overridden: " + rule);
            }
        }
    }
}
