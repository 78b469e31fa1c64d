package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.GrantReaderContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.contract.LoginStepContract;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("long")
class PasskeysContractTest {

    private static PasskeysPlugin down() {
        return new PasskeysPlugin(
                Passkeys.of(new DownStore(), Desk.SERVICE, Desk.KEY).withClock(new SetClock()),
                (source, account) -> Optional.empty());
    }

    @Nested
    class AsStep extends LoginStepContract {

        private final Desk desk = new Desk();
        private final Map<String, Authenticator> authenticators =
                Map.of("ada", desk.enrol("ada"), "bob", desk.enrol("bob"));

        @Override
        protected PasskeysPlugin newPlugin() {
            return desk.newPlugin();
        }

        @Override
        protected Optional<PasskeysPlugin> newPluginInOutage() {
            return Optional.of(down());
        }

        private static Authenticated loginOf(String account) {
            return Authenticated.as(Subject.of(account).withAuthorities("ROLE_USER"))
                    .withStamp(Secret.of("the stored hash of " + account))
                    .decidedBy("users");
        }

        @Override
        protected Authenticated login() {
            return loginOf("ada");
        }

        @Override
        protected Authenticated otherLogin() {
            return loginOf("bob");
        }

        @Override
        protected Optional<Authenticated> loginWithoutStep() {
            return Optional.of(loginOf("carol"));
        }

        @Override
        protected Set<String> publicFields() {
            return Set.of(PasskeyFields.CREDENTIAL_ID);
        }

        /** Without the user handle, which a step can do without. */
        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            Map<String, Secret> fields = new HashMap<>(
                    authenticators.get(challenge.soFar().subject().id()).sign(challenge.parameters()));
            fields.remove(PasskeyFields.USER_HANDLE);
            return fields;
        }

        @Override
        protected InstantSource clock() {
            return desk.clock;
        }
    }

    @Nested
    class AsFirstFactor extends LoginSourceContract {

        private final Desk desk = new Desk();
        private final Authenticator ada = desk.enrol("ada");
        private final Authenticator bob = desk.enrol("bob");

        @Override
        protected PasskeysPlugin newPlugin() {
            return desk.newPlugin();
        }

        @Override
        protected Optional<PasskeysPlugin> newPluginInOutage() {
            return Optional.of(down());
        }

        @Override
        protected Credentials validCredentials() {
            return of(ada.sign(desk.passkeys.begin()));
        }

        @Override
        protected Credentials wrongCredentials() {
            Map<String, Secret> fields = ada.sign(desk.passkeys.begin());
            fields.put(PasskeyFields.SIGNATURE, ada.sign(desk.passkeys.begin()).get(PasskeyFields.SIGNATURE));
            return of(fields);
        }

        @Override
        protected Optional<Credentials> credentialsOfUnknownAccount() {
            Authenticator nobody = new Authenticator();
            nobody.register((String) desk.passkeys.begin().get(PasskeyFields.CHALLENGE), ada.handle());
            return Optional.of(of(nobody.sign(desk.passkeys.begin())));
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(of(bob.sign(desk.passkeys.begin())));
        }

        @Override
        protected boolean isRightOnce() {
            return true;
        }

        @Override
        protected Optional<Credentials> credentialsWith(String text) {
            Map<String, Secret> fields = ada.sign(desk.passkeys.begin());
            fields.put(PasskeyFields.SIGNATURE, Secret.of(text));
            return Optional.of(of(fields));
        }

        private static Credentials of(Map<String, Secret> fields) {
            return PasskeyCredentials.of(fields).orElseThrow();
        }

        @Override
        protected InstantSource clock() {
            return desk.clock;
        }
    }

    @Nested
    class AsGrant extends GrantReaderContract {

        private final Desk desk = new Desk();
        private final Authenticator ada = desk.enrol("ada");

        @Override
        protected GrantReader newPlugin() {
            return desk.newPlugin();
        }

        @Override
        protected Map<String, Secret> validFields(String grantType) {
            return ada.sign(desk.passkeys.begin());
        }

        @Override
        protected InstantSource clock() {
            return desk.clock;
        }
    }
}
