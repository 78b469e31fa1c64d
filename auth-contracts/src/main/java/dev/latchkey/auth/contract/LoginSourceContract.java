package dev.latchkey.auth.contract;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;

/**
 * The contract of {@link LoginSource}, as tests: extend this class and supply a plugin, valid credentials and wrong credentials.
 *
 * <p>If names ignore case, give an account a name with the letter i: the kit then tries the default locale of Turkey. The kit
 * cannot test that the plugin keeps no reference to credentials.
 */
public abstract class LoginSourceContract extends PluginContract<LoginSource<?>>
        implements SourceRules, SourceAccountRules, SourceSecretRules {

    static final String VALID = "valid credentials";
    static final String WRONG = "wrong credentials";

    /** For fixtures. */
    protected LoginSourceContract() {}

    /**
     * Credentials that every new plugin authenticates, as the same subject each time.
     *
     * @return new credentials at each call if {@link #isRightOnce()}
     * @throws Exception if the fixture fails
     */
    protected abstract Credentials validCredentials() throws Exception;

    /**
     * Well-formed but wrong credentials of the same kind: a wrong password, a wrong signature.
     *
     * @return of the same kind as the valid credentials
     * @throws Exception if the fixture fails
     */
    protected abstract Credentials wrongCredentials() throws Exception;

    /**
     * Whether the same credentials are right only once, for example a magic link or the assertion of a passkey.
     *
     * @return {@code false} unless overridden
     */
    protected boolean isRightOnce() {
        return false;
    }

    /**
     * Credentials that were right and have expired. Override this method if a login of the valid credentials has an end.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> expiredCredentials() throws Exception {
        return Optional.empty();
    }

    /**
     * Credentials for an account that does not exist.
     *
     * @return another name with the wrong password, unless overridden; empty if the wrong credentials are no
     *     {@link PasswordCredentials}
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> credentialsOfUnknownAccount() throws Exception {
        return wrongCredentials() instanceof PasswordCredentials wrong
                ? Optional.of(new PasswordCredentials(Trial.NOBODY, wrong.password()))
                : Optional.empty();
    }

    /**
     * Valid credentials of another account.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> secondValidCredentials() throws Exception {
        return Optional.empty();
    }

    /**
     * Valid credentials with a long secret, for example of 100 characters, because bcrypt reads only 72 bytes.
     *
     * @return empty unless overridden
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> credentialsWithLongSecret() throws Exception {
        return Optional.empty();
    }

    /**
     * Whether another spelling of a secret is another secret. Override this method if the plugin ignores case and blanks, because
     * people type secrets from paper.
     *
     * @return {@code true} unless overridden
     */
    protected boolean secretsAreExact() {
        return true;
    }

    /**
     * Credentials of the plugin's own kind with this text as secret. The kit creates such credentials for a record with a single
     * {@link dev.latchkey.auth.Secret}. In a record without a Secret, the only text other than the account counts as secret.
     * Override this method if the credentials are no record and {@linkplain Credentials#secrets() name} a single secret.
     *
     * @param text any text
     * @return empty if the kit cannot create such credentials
     * @throws IllegalArgumentException if the text is invalid in such credentials
     * @throws Exception if the fixture fails
     */
    protected Optional<Credentials> credentialsWith(String text) throws Exception {
        return Variants.withSecret(validCredentials(), text);
    }

    @Override
    final List<Probe<LoginSource<?>>> probes() throws Exception {
        Probe.Use use = isRightOnce() ? Probe.Use.ALONE : Probe.Use.OFTEN;
        // A plugin may reject a wrong signature without its store. A wrong password needs the store.
        Probe.Store store = wrongCredentials() instanceof PasswordCredentials ? Probe.Store.NEEDED : Probe.Store.MAYBE;
        Probe<LoginSource<?>> valid = new Probe<>(
                VALID,
                source -> asking(source, seen(validCredentials())),
                LoginSourceContract::letsIn,
                LoginSourceContract::letsIn,
                use,
                Probe.Store.NEEDED);
        Probe<LoginSource<?>> wrong = new Probe<>(
                WRONG,
                source -> asking(source, seen(wrongCredentials())),
                answer -> !letsIn(answer),
                LoginSourceContract::letsIn,
                Probe.Use.OFTEN,
                store);
        return List.of(valid, wrong);
    }

    /** Whether the answer shows right credentials. A challenge shows them too. */
    static boolean letsIn(Object answer) {
        return answer instanceof Authenticated || answer instanceof Challenged;
    }

    private static Callable<Object> asking(LoginSource<?> source, Credentials credentials) {
        return () -> decide(source, credentials);
    }

    /** The source's decision about credentials of its kind. */
    static Decision decide(LoginSource<?> source, Credentials credentials) {
        return ofKind(source, credentials);
    }

    private static <C extends Credentials> Decision ofKind(LoginSource<C> source, Credentials credentials) {
        Class<C> kind = source.kind();
        Assertions.assertTrue(
                kind.isInstance(credentials),
                () -> "kind() is " + kind.getName() + ", and the credentials are "
                        + credentials.getClass().getName());
        return source.authenticate(kind.cast(credentials), RequestContext.none());
    }

    /** The login in the decision about right credentials. */
    static Authenticated login(LoginSource<?> source, String input, Decision decision) {
        if (decision instanceof Challenged challenged) {
            Assertions.assertInstanceOf(
                    LoginStep.class,
                    source,
                    () -> "challenged, and is no LoginStep to check the response, for " + input);
            return challenged.soFar();
        }
        return Assertions.assertInstanceOf(Authenticated.class, decision, input);
    }
}
