package dev.latchkey.auth.spring.pairs;

import dev.latchkey.auth.spring.ReactiveServices;
import java.util.Map;

/** A way in: the request that begins a login. */
enum Way {
    BASIC("HTTP Basic", World.USERS),
    BASIC_OF_DIRECTORY("HTTP Basic, account of a directory", Sources.Directory.NAME),
    FORM("form login with a session", World.USERS),
    FORM_OF_DIRECTORY("form login, account of a directory", Sources.Directory.NAME),
    REMEMBER_ME("form login with remember-me", World.USERS),
    JSON("login endpoint, JSON", World.USERS),
    FORM_BODY("login endpoint, form body", World.USERS),
    OAUTH("token endpoint, OAuth", World.USERS),
    CLIENT("token endpoint, registered client", World.USERS),
    GRANT("extension grant", Sources.Cards.NAME),
    CARD("plugin's credentials in a header", Sources.Cards.NAME),
    KEY("issued credentials in a header", Sources.Keys.NAME),
    PIN("source that challenges by itself", Pins.NAME),
    MAGIC_LINK("tokens after a one-time token", World.USERS),
    HUB("OAuth2 login with a session", Hub.SOURCE),
    IDP("SAML login with a session", Idp.SOURCE),
    PARTNER("token of a trusted issuer", Partner.NAME),
    OLD_TOKEN("token from before Latchkey", World.USERS),
    ACTING("token to act as the account", World.USERS),
    CONTROLLER("manager called in a controller", World.USERS),
    CONTROLLER_OF_DIRECTORY("manager in a controller, account of a directory", Sources.Directory.NAME);

    private final String label;
    private final String home;

    Way(String label, String home) {
        this.label = label;
        this.home = home;
    }

    String label() {
        return label;
    }

    /** The source that has the accounts of this way. */
    String home() {
        return home;
    }

    boolean needsADirectory() {
        return home.equals(Sources.Directory.NAME);
    }

    /** Whether every request is a login of its own. */
    boolean isRepeated() {
        return switch (this) {
            case BASIC,
                    BASIC_OF_DIRECTORY,
                    CARD,
                    KEY,
                    PARTNER,
                    OLD_TOKEN,
                    ACTING,
                    CONTROLLER,
                    CONTROLLER_OF_DIRECTORY -> true;
            default -> false;
        };
    }

    String subjectOf(String name) {
        // What was issued for a login has the subject of this login.
        return home.equals(World.USERS) || this == KEY ? name : home + ":" + name;
    }

    /** What each request brings by itself, so that there is no login to keep. */
    Map<String, String> headers(Visit visit, String secret) {
        String name = visit.name();
        return switch (this) {
            case BASIC, BASIC_OF_DIRECTORY -> Map.of("Authorization", ReactiveServices.basic(name, secret));
            case CARD -> Map.of(Sources.Cards.FIELD, name + ":" + secret);
            case KEY -> Map.of(Sources.Keys.FIELD, name + ":" + secret);
            case PARTNER -> Lasting.bearer(visit.world().partner.token(name, secret));
            case OLD_TOKEN -> Lasting.bearer(Tokens.old(visit, secret));
            default -> Map.of();
        };
    }

    Client.Ask begin(Visit visit, String secret) throws Exception {
        String name = visit.name();
        String from = visit.from();
        Map<String, String> headers = headers(visit, secret);
        if (!headers.isEmpty()) {
            return new Client.Ask("GET", "/hello", headers, "", from);
        }
        return switch (this) {
            case FORM, FORM_OF_DIRECTORY -> post("/login", Forms.of("username", name, "password", secret), from);
            case REMEMBER_ME ->
                post("/login", Forms.of("username", name, "password", secret, "remember-me", "on"), from);
            case JSON -> post("/auth/token", "{\"username\":\"" + name + "\",\"password\":\"" + secret + "\"}", from);
            case FORM_BODY -> post("/auth/token", Forms.of("username", name, "password", secret), from);
            case OAUTH ->
                post("/auth/token", Forms.of("grant_type", grant(), "username", name, "password", secret), from);
            case CLIENT ->
                new Client.Ask(
                        "POST",
                        "/auth/token",
                        Tokens.CLIENT,
                        Forms.of("grant_type", grant(), "username", name, "password", secret),
                        from);
            case ACTING ->
                new Client.Ask(
                        "POST",
                        "/act",
                        Lasting.bearer(Tokens.ofASupporter(visit)),
                        Forms.of("as", visit.subject()),
                        from);
            case MAGIC_LINK -> post("/login/ott", Forms.of("token", name + ":" + secret), from);
            case HUB -> Hub.callback(visit, secret);
            case IDP -> post("/login/saml2/sso/idp", Forms.of("SAMLResponse", name + ":" + secret), from);
            case GRANT -> post("/auth/token", Forms.of("grant_type", grant(), "card", name + ":" + secret), from);
            case PIN -> post("/auth/token", Forms.of("grant_type", grant(), "username", name), from);
            default -> post("/own-login", Forms.of("username", name, "password", secret), from);
        };
    }

    /** The grant type of all requests of this login; empty for a plain login. */
    String grant() {
        return switch (this) {
            case OAUTH, CLIENT -> "password";
            case GRANT -> Sources.Cards.GRANT;
            case PIN -> Pins.GRANT;
            default -> "";
        };
    }

    private static Client.Ask post(String path, String body, String from) {
        return new Client.Ask("POST", path, Map.of(), body, from);
    }
}
