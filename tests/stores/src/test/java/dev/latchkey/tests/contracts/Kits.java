package dev.latchkey.tests.contracts;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.CredentialsReaderContract;
import dev.latchkey.auth.contract.CredentialsRevokerContract;
import dev.latchkey.auth.contract.GrantReaderContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.contract.LoginStepContract;
import dev.latchkey.auth.contract.PermissionSourceContract;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import dev.latchkey.tests.contracts.TicketPlugin.Ticket;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The kits over the plugins of these tests; any plugin can replace the right plugin. */
final class Kits {

    private Kits() {}

    static class Passwords extends LoginSourceContract {
        private final Supplier<? extends LoginSource<?>> plugin;

        Passwords(Supplier<? extends LoginSource<?>> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginSource<?> newPlugin() {
            return plugin.get();
        }

        @Override
        protected Credentials validCredentials() {
            return PasswordPlugin.ADA;
        }

        @Override
        protected Credentials wrongCredentials() {
            return PasswordPlugin.WRONG;
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(PasswordPlugin.GRACE);
        }

        @Override
        protected Optional<Credentials> credentialsWithLongSecret() {
            return Optional.of(PasswordPlugin.LINUS);
        }
    }

    static class Tickets extends LoginSourceContract {
        private final Supplier<? extends LoginSource<?>> plugin;

        Tickets(Supplier<? extends LoginSource<?>> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginSource<?> newPlugin() {
            return plugin.get();
        }

        @Override
        protected Credentials validCredentials() {
            return Ticket.of(TicketPlugin.VALID);
        }

        @Override
        protected Credentials wrongCredentials() {
            return Ticket.of(TicketPlugin.WRONG);
        }
    }

    static class Fields extends LoginSourceContract {
        private final Supplier<? extends LoginSource<?>> plugin;

        Fields(Supplier<? extends LoginSource<?>> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginSource<?> newPlugin() {
            return plugin.get();
        }

        @Override
        protected Credentials validCredentials() {
            return FieldsPlugin.VALID;
        }

        @Override
        protected Credentials wrongCredentials() {
            return FieldsPlugin.WRONG;
        }
    }

    static class Keys extends LoginSourceContract {
        private final Supplier<? extends LoginSource<?>> plugin;

        Keys(Supplier<? extends LoginSource<?>> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginSource<?> newPlugin() {
            return plugin.get();
        }

        @Override
        protected Credentials validCredentials() {
            return new KeyPlugin.Key(KeyPlugin.VALID);
        }

        @Override
        protected Credentials wrongCredentials() {
            return new KeyPlugin.Key(KeyPlugin.WRONG);
        }

        @Override
        protected Optional<Credentials> credentialsWith(String text) {
            return Optional.of(new KeyPlugin.Key(Secret.of(text)));
        }
    }

    static class Readers extends CredentialsReaderContract {
        private final Supplier<? extends CredentialsReader> plugin;

        Readers(Supplier<? extends CredentialsReader> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected CredentialsReader newPlugin() {
            return plugin.get();
        }

        @Override
        protected RequestContext requestWithCredentials() {
            return RequestContext.none().withHeader("X-Ticket", TicketPlugin.VALID);
        }
    }

    static class Revokers extends CredentialsRevokerContract {
        private final Supplier<? extends CredentialsRevoker> plugin;

        Revokers(Supplier<? extends CredentialsRevoker> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected CredentialsRevoker newPlugin() {
            return plugin.get();
        }

        @Override
        protected Credentials validCredentials() {
            return Ticket.of(TicketPlugin.VALID);
        }

        @Override
        protected Credentials wrongCredentials() {
            return Ticket.of(TicketPlugin.WRONG);
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(Ticket.of(TicketPlugin.OTHER));
        }
    }

    /** Links are right once. */
    static class Links extends LoginSourceContract {
        private final Mailbox mailbox = new Mailbox();
        private final Function<Mailbox, ? extends LoginSource<?>> plugin;

        Links(Function<Mailbox, ? extends LoginSource<?>> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginSource<?> newPlugin() {
            return plugin.apply(mailbox);
        }

        @Override
        protected Credentials validCredentials() {
            return new LinkPlugin.Link(mailbox.mailLink("ada"));
        }

        @Override
        protected Credentials wrongCredentials() {
            return new LinkPlugin.Link(Secret.of("link-that-nobody-mailed"));
        }

        @Override
        protected boolean isRightOnce() {
            return true;
        }
    }

    static class Grants extends GrantReaderContract {
        private final Mailbox mailbox = new Mailbox();
        private final Function<Mailbox, ? extends GrantReader> plugin;

        Grants(Function<Mailbox, ? extends GrantReader> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected GrantReader newPlugin() {
            return plugin.apply(mailbox);
        }

        @Override
        protected Map<String, Secret> validFields(String grantType) {
            return Map.of("link", mailbox.mailLink("ada"));
        }
    }

    static class Permissions extends PermissionSourceContract {
        private final Supplier<? extends PermissionSource> plugin;

        Permissions(Supplier<? extends PermissionSource> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected PermissionSource newPlugin() {
            return plugin.get();
        }

        @Override
        protected Subject subject() {
            return Subject.of("ada").withAuthorities("ROLE_CLERK");
        }

        @Override
        protected Permission granted() {
            return new Permission("orders", "read");
        }
    }

    abstract static class Steps extends LoginStepContract {
        @Override
        protected Authenticated login() {
            return Authenticated.as(Subject.of("ada").withAuthorities("ROLE_USER"));
        }

        @Override
        protected Authenticated otherLogin() {
            return Authenticated.as(Subject.of("grace"));
        }

        @Override
        protected Optional<Authenticated> loginWithoutStep() {
            return Optional.of(Authenticated.as(Subject.of("linus")));
        }
    }

    /** A PIN is right in each login. */
    static class Pins extends Steps {
        private final Supplier<? extends LoginStep> plugin;

        Pins(Supplier<? extends LoginStep> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginStep newPlugin() {
            return plugin.get();
        }

        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            return Map.of(
                    "code",
                    Secret.of(PinStep.PINS.get(challenge.soFar().subject().id())));
        }

        @Override
        protected boolean isRightOnce() {
            return false;
        }

        @Override
        protected Optional<RequestContext> requestFromDevice(Secret token) {
            return Optional.of(
                    RequestContext.none().withHeader("X-Device", token.<String>withText(CharSequence::toString)));
        }
    }

    /** A source challenges its own accounts. */
    static class OwnPins extends Pins {

        OwnPins(Supplier<PinSource> plugin) {
            super(plugin);
        }

        @Override
        protected Authenticated login() {
            return Authenticated.as(Subject.of("ada"));
        }

        @Override
        protected Challenged challenge(LoginStep plugin, Authenticated login) {
            PasswordCredentials credentials =
                    new PasswordCredentials(login.subject().id(), Secret.of("any"));
            return (Challenged) ((PinSource) plugin).authenticate(credentials, RequestContext.none());
        }
    }

    /** Mailed codes, and a PIN beside each. */
    static class CodesAndPins extends Codes {

        CodesAndPins(Function<Mailbox, ? extends LoginStep> plugin) {
            super(plugin);
        }

        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            String pin = PinStep.PINS.get(challenge.soFar().subject().id());
            Map<String, Secret> fields = new HashMap<>(super.rightResponse(challenge));
            fields.put("pin", Secret.of(pin));
            return fields;
        }
    }

    /** Mailed codes: the state names the right code. */
    static class Codes extends Steps {
        private final Mailbox mailbox = new Mailbox();
        private final Function<Mailbox, ? extends LoginStep> plugin;

        Codes(Function<Mailbox, ? extends LoginStep> plugin) {
            this.plugin = plugin;
        }

        @Override
        protected LoginStep newPlugin() {
            return plugin.apply(mailbox);
        }

        @Override
        protected Map<String, Secret> rightResponse(Challenged challenge) {
            return Map.of("code", mailbox.lastCodeFor(challenge));
        }
    }
}
