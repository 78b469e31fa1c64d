package dev.latchkey.auth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service logs the stack trace of a plugin's defect. Messages of libraries may repeat a password. */
class LoggedFailureTest {

    private static final Credentials PASSWORD = new PasswordCredentials("ada", Secret.of("hunter2-hunter2"));

    @Test
    void messagesWithThePassword_areLeftOut_andEverythingElseIsLogged() {
        RuntimeException thrown = new IllegalStateException(
                "Cannot ask the directory",
                new IllegalArgumentException("Illegal character in query: http://dir/?p=hunter2-hunter2"));
        assertThat(logged(PASSWORD, thrown))
                .doesNotContain("hunter2")
                .contains("Suppressed: java.lang.IllegalStateException: Cannot ask the directory")
                .contains("Caused by: java.lang.IllegalArgumentException (message left out: it may contain a secret)")
                .contains("at " + LoggedFailureTest.class.getName());
    }

    @Test
    void suppressedExceptionsWithThePassword_areLeftOut() {
        RuntimeException thrown = new IllegalStateException("Cannot ask");
        thrown.addSuppressed(new IllegalStateException("hunter2-hunter2"));
        assertThat(logged(PASSWORD, thrown)).doesNotContain("hunter2").contains("IllegalStateException: Cannot ask");
    }

    @Test
    void errorOfAPlugin_isLoggedInTheSameWay() {
        assertThat(logged(PASSWORD, new AssertionError("hunter2-hunter2")))
                .doesNotContain("hunter2")
                .contains("Suppressed: java.lang.AssertionError (message left out");
    }

    @Test
    @Timeout(10)
    void causesInACircle_end() {
        RuntimeException first = new IllegalStateException("hunter2-hunter2");
        RuntimeException second = new IllegalStateException("second", first);
        first.initCause(second);
        assertThat(logged(PASSWORD, first)).doesNotContain("hunter2").contains("second");
    }

    @Test
    void exceptionThatCannotBeWritten_isNoOtherFailure() {
        assertThat(logged(PASSWORD, new RuntimeException("hunter2-hunter2") {
                    @Override
                    public String getMessage() {
                        throw new UnsupportedOperationException();
                    }
                }))
                .doesNotContain("hunter2")
                .contains("threw " + LoggedFailureTest.class.getName());
    }

    @Test
    void exceptionWithoutTheSecret_isLoggedAsItIs() {
        RuntimeException thrown = new IllegalStateException("No table");
        AuthChain chain = AuthChain.of(throwing(thrown));
        assertThat(catchThrowableOfType(AuthPluginException.class, () -> chain.authenticate(PASSWORD)))
                .hasSuppressedException(thrown);
    }

    @Test
    void credentialsWithoutNamedSecrets_haveNoMessageInTheLog() {
        assertThat(logged(new Credentials() {}, new IllegalStateException("ticket t-1")))
                .doesNotContain("t-1")
                .contains("Suppressed: java.lang.IllegalStateException (message left out");
    }

    @Test
    void readerOfARequest_mayRepeatAnyHeaderField_soNoMessageIsLogged() {
        AuthChain chain = AuthChain.of(new CredentialsReader() {
            @Override
            public String name() {
                return "tickets";
            }

            @Override
            public Optional<Credentials> read(RequestContext context) {
                throw new IllegalArgumentException("For input string: " + context.header("X-Ticket"));
            }

            @Override
            public boolean needsNoCsrfToken() {
                return true;
            }
        });
        RequestContext request = RequestContext.of(name -> List.of("t-1"), Optional::empty);
        assertThat(written(catchThrowableOfType(
                        AuthPluginException.class, () -> chain.readers().of(request))))
                .doesNotContain("t-1")
                .contains("IllegalArgumentException");
        assertThat(written(catchThrowableOfType(
                        AuthPluginException.class, () -> chain.readers().needNoCsrfToken(request))))
                .doesNotContain("t-1");
    }

    /** At the logout, the token is still valid. */
    @Test
    void revokersThatRepeatTheCredentials_haveNoMessageInTheLog() {
        AuthChain chain = AuthChain.of(
                revoking("first", new IllegalStateException("Cannot revoke hunter2-hunter2")),
                revoking("second", AuthUnavailableException.outage("No answer to hunter2-hunter2")),
                revoking("third", new IllegalStateException("Cannot revoke hunter2-hunter2")));
        assertThat(written(catchThrowableOfType(AuthPluginException.class, () -> chain.revoke(PASSWORD))))
                .doesNotContain("hunter2")
                .contains("first")
                .contains("third");
    }

    private static AuthPlugin revoking(String name, RuntimeException failure) {
        return new CredentialsRevoker() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean revoke(Credentials credentials) {
                throw failure;
            }

            @Override
            public boolean revokeAll(String subjectId, Instant notBefore) {
                throw failure;
            }
        };
    }

    @Test
    void readerOfAGrant_mayRepeatAField_soThisMessageIsLeftOut() {
        AuthChain chain = AuthChain.of(new GrantReader() {
            @Override
            public String name() {
                return "tickets";
            }

            @Override
            public Set<String> grantTypes() {
                return Set.of("urn:example:ticket");
            }

            @Override
            public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
                throw new IllegalArgumentException(
                        "For input string: " + fields.get("ticket").withText(CharSequence::toString));
            }
        });
        assertThat(written(catchThrowableOfType(
                        AuthPluginException.class,
                        () -> chain.readers()
                                .of("urn:example:ticket", Map.of("ticket", Secret.of("t-1")), RequestContext.none()))))
                .doesNotContain("t-1")
                .contains("IllegalArgumentException");
    }

    /** As a service logs the failure of this login. */
    private static String logged(Credentials credentials, Throwable thrown) {
        AuthChain chain = AuthChain.of(throwing(thrown));
        return written(catchThrowableOfType(AuthPluginException.class, () -> chain.authenticate(credentials)));
    }

    private static ScriptedPlugin throwing(Throwable thrown) {
        return ScriptedPlugin.named("directory").deciding(() -> {
            throw LoggedFailureTest.<RuntimeException>unchecked(thrown);
        });
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static String written(AuthPluginException failure) {
        StringWriter written = new StringWriter();
        failure.printStackTrace(new PrintWriter(written));
        return written.toString();
    }
}
