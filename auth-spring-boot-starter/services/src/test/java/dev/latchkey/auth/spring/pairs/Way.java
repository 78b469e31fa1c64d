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
    GRANT("extension grant", Sources.Cards.NAME),
    CARD("plugin's credentials in a header", Sources.Cards.NAME),
    KEY("issued credentials in a header", Sources.Keys.NAME),
    PIN("source that challenges by itself", Pins.NAME),
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
            case BASIC, BASIC_OF_DIRECTORY, CARD, KEY, CONTROLLER, CONTROLLER_OF_DIRECTORY -> true;
            default -> false;
        };
    }

    String subjectOf(String name) {
        return home.equals(World.USERS) ? name : home + ":" + name;
    }

    /** What each request brings by itself, so that there is no login to keep. */
    Map<String, String> headers(String name, String secret) {
        return switch (this) {
            case BASIC, BASIC_OF_DIRECTORY -> Map.of("Authorization", ReactiveServices.basic(name, secret));
            case CARD -> Map.of(Sources.Cards.FIELD, name + ":" + secret);
            case KEY -> Map.of(Sources.Keys.FIELD, name + ":" + secret);
            default -> Map.of();
        };
    }

    Client.Ask begin(String name, String secret, String from) {
        Map<String, String> headers = headers(name, secret);
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
            case GRANT -> post("/auth/token", Forms.of("grant_type", grant(), "card", name + ":" + secret), from);
            case PIN -> post("/auth/token", Forms.of("grant_type", grant(), "username", name), from);
            default -> post("/own-login", Forms.of("username", name, "password", secret), from);
        };
    }

    /** The grant type of all requests of this login; empty for a plain login. */
    String grant() {
        return switch (this) {
            case OAUTH -> "password";
            case GRANT -> Sources.Cards.GRANT;
            case PIN -> Pins.GRANT;
            default -> "";
        };
    }

    private static Client.Ask post(String path, String body, String from) {
        return new Client.Ask("POST", path, Map.of(), body, from);
    }
}
