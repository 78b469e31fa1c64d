package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.GrantReader;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.permission.Access;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.permission.PermissionSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The plugins of the services that the tables are about: one of each kind. */
final class Sources {

    /** The code that each step takes. */
    static final String CODE = "123456";

    private Sources() {}

    /** Passwords of a directory beside the service's own accounts. */
    record Directory(World world) implements LoginSource<PasswordCredentials> {

        static final String NAME = "directory";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return world.decide(NAME, given.username(), given.password().withText(CharSequence::toString));
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return world.account(NAME, subjectId);
        }
    }

    /** {@code name:secret}, as a grant and in a header field. */
    record Cards(World world) implements LoginSource<Cards.Card>, CredentialsReader, GrantReader {

        static final String NAME = "cards";
        static final String FIELD = "X-Card";
        static final String GRANT = "urn:example:card";

        record Card(String holder, String secret) implements Credentials {

            static Card of(String text) {
                int colon = text.indexOf(':');
                return new Card(text.substring(0, colon), text.substring(colon + 1));
            }

            @Override
            public Optional<String> account() {
                return Optional.of(holder);
            }
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<Card> kind() {
            return Card.class;
        }

        @Override
        public Decision authenticate(Card card, RequestContext context) {
            return world.decide(NAME, card.holder(), card.secret());
        }

        @Override
        public Optional<Verdict> account(String subjectId) {
            return world.account(NAME, subjectId);
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header(FIELD).stream().<Credentials>map(Card::of).findFirst();
        }

        @Override
        public Set<String> grantTypes() {
            return Set.of(GRANT);
        }

        @Override
        public Optional<Credentials> read(String grantType, Map<String, Secret> fields, RequestContext context) {
            return Optional.ofNullable(fields.get("card")).map(card -> Card.of(card.withText(CharSequence::toString)));
        }
    }

    /** {@code name:secret} in a header field, as something that was issued for a login of before. */
    record Keys(World world) implements LoginSource<Keys.Key>, CredentialsReader, CredentialsRevoker {

        static final String NAME = "keys";
        static final String FIELD = "X-Key";

        record Key(String holder, String secret) implements IssuedCredentials {

            /** The limits count each text separately. Otherwise any caller could use up the owner's budget. */
            @Override
            public Optional<String> account() {
                return Optional.of(holder + " " + secret);
            }
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Decision authenticate(Key key, RequestContext context) {
            Decision decision = world.decide(NAME, key.holder(), key.secret());
            return decision instanceof Authenticated login ? login.withoutSecrets() : decision;
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return credentials instanceof Key key && end(key.holder());
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return end(World.nameIn(subjectId));
        }

        private boolean end(String name) {
            return world.find(NAME, name).isPresent() && world.accounts.remove(name) != null;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header(FIELD).stream()
                    .map(Cards.Card::of)
                    .<Credentials>map(card -> new Key(card.holder(), card.secret()))
                    .findFirst();
        }
    }

    /** Wants a code of each login whose account needs so many steps. */
    record Codes(World world, String name, int number) implements LoginStep {

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return world.stepsOf(login.subject().id()) < number
                    ? Optional.empty()
                    : Optional.of(Challenged.by(login, name));
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return response.code()
                            .filter(code -> code.withText(CODE::contentEquals))
                            .isPresent()
                    ? Passed.step()
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    /** Denies whatever is asked. */
    record Denials() implements PermissionSource {

        @Override
        public String name() {
            return "denials";
        }

        @Override
        public Access authorize(Subject subject, Permission permission) {
            return Access.DENIED;
        }
    }

    /** One of each kind. */
    static List<AuthPlugin> all(World world) {
        return List.of(
                new Cards(world),
                new Keys(world),
                new Pins(world),
                new Codes(world, "otp", 1),
                new Codes(world, "sms", 2),
                new Denials());
    }

    /** The same, and a directory before them. */
    static List<AuthPlugin> allWithADirectory(World world) {
        return Stream.concat(Stream.of(new Directory(world)), all(world).stream())
                .toList();
    }
}
