package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthPluginFactory;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.PluginConfig;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of {@link AuthPlugin}, as tests: extend this class, supply the four required pieces, and run it.
 *
 * <p>Each test gets a plugin of its own, so a fixture should be cheap: give a password plugin a hash of low cost, and a
 * bounded pool enough room for {@value ManyThreads#THREADS} callers at once. A rule that concerns something optional (an
 * outage, a second account, a backend, a header field of the plugin's own) is there where the hook for it is overridden. A failure
 * names the input that led to it.
 *
 * <p>Needs JUnit Jupiter, 5.12 or newer, and nothing else. What no test of this kind can show is left to the author: that no reference
 * to the credentials is kept.
 */
@Timeout(120)
public abstract class AuthPluginContract
        implements DecisionRules,
                KindRules,
                AccountRules,
                SecretRules,
                ThreadRules,
                ReadingRules,
                AccessRules,
                RevocationRules,
                FactoryRules,
                BackendRules {

    private @Nullable Trial trial;
    private @Nullable FaultyBackend working;

    /**
     * A plugin that works, with the same accounts each time; whatever it holds is its own. Servers that a fixture needs are started
     * before, in a {@code @BeforeEach} or by {@link #workingBackend()}: threads that start here must end when the plugin is closed.
     */
    protected abstract AuthPlugin newPlugin() throws Exception;

    /** Credentials that every new plugin authenticates, as the same subject each time. */
    protected abstract Credentials validCredentials() throws Exception;

    /** Credentials of the same kind that prove nobody, and are well-formed: a wrong password, a wrong signature. */
    protected abstract Credentials wrongCredentials() throws Exception;

    /** What is secret in the two above, as text of at least eight characters each; none of it may ever be printed. */
    protected abstract List<String> secretTexts();

    /** Credentials for an account that does not exist, where the plugin's credentials name an account. */
    protected Optional<Credentials> credentialsOfUnknownAccount() throws Exception {
        return Optional.empty();
    }

    /** Valid credentials of another account. */
    protected Optional<Credentials> secondValidCredentials() throws Exception {
        return Optional.empty();
    }

    /** Valid credentials whose password is long: 100 characters, say, where bcrypt counts 72 bytes. */
    protected Optional<Credentials> credentialsWithLongSecret() throws Exception {
        return Optional.empty();
    }

    /**
     * Whether another spelling of a secret is another secret. Override it where people type secrets from paper, and the plugin takes case
     * and blanks as they come: recovery codes, say.
     */
    protected boolean secretsAreExact() {
        return true;
    }

    /** The kinds of credentials that the plugin decides about: that of {@link #validCredentials()}, unless overridden. */
    protected Set<Class<? extends Credentials>> kinds() throws Exception {
        return Set.of(validCredentials().getClass());
    }

    /** A plugin whose store is down, where it has one that can be. */
    protected Optional<AuthPlugin> newPluginInOutage() throws Exception {
        return Optional.empty();
    }

    /** What the plugin asks over HTTP, where it does: the kit starts it and breaks it. */
    protected Optional<HttpBackend> backend() throws Exception {
        return Optional.empty();
    }

    /**
     * Where the backend of {@link #backend()} works, until the test is over: for {@link #newPlugin()}. A plugin there may be patient; short
     * times are for those that {@code backend()} makes.
     */
    protected final URI workingBackend() throws Exception {
        if (working == null) {
            working = new FaultyBackend(backend().orElseThrow().answers());
        }
        return working.uri();
    }

    /** A request from which {@link AuthPlugin#read} takes valid credentials, where the plugin reads its own. */
    protected Optional<RequestContext> requestWithValidCredentials() throws Exception {
        return Optional.empty();
    }

    /** The factory that {@link java.util.ServiceLoader} shall find, where there is one. */
    protected Optional<AuthPluginFactory> factory() {
        return Optional.empty();
    }

    /** Settings from which {@link #factory()} makes a plugin. */
    protected Optional<PluginConfig> settings() throws Exception {
        return Optional.empty();
    }

    /**
     * Credentials of the plugin's own kind with this text as their secret; override it for a kind of your own.
     *
     * @throws IllegalArgumentException if such text cannot be in such credentials
     */
    protected Optional<Credentials> credentialsWith(String text) throws Exception {
        Credentials valid = validCredentials();
        if (valid instanceof PasswordCredentials password) {
            return Optional.of(new PasswordCredentials(password.username(), Secret.of(text)));
        }
        return valid instanceof BearerToken ? Optional.of(BearerToken.of(text)) : Optional.empty();
    }

    /** The plugin's source of time, where it is not the system's. */
    protected InstantSource clock() {
        return InstantSource.system();
    }

    /** For the rules alone. */
    @Override
    public final Trial trial() {
        if (trial == null) {
            trial = new Trial(this);
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

    /** The rules are methods of interfaces, which a fixture could override by mistake. */
    @Test
    final void everyRule_isThatOfTheKit() throws NoSuchMethodException {
        for (Class<?> rules : AuthPluginContract.class.getInterfaces()) {
            for (Method rule : rules.getDeclaredMethods()) {
                if (rule.isDefault()) {
                    assertEquals(
                            rules, getClass().getMethod(rule.getName()).getDeclaringClass(), "overridden: " + rule);
                }
            }
        }
    }
}
