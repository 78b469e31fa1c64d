package dev.latchkey.auth.spring.pairs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.ApplicationContext;

/** A user with an own account and address, and one way to log in. */
record Visit(ApplicationContext service, World world, Client client, Way way, String name, String from) {

    static final String SECRET = "correct-horse-battery";

    /** @param ticket the fields that later requests bring */
    record Login(String shown, Map<String, String> ticket, Client.Reply last) {}

    static Visit of(ApplicationContext service, World world, Way way, int number) {
        String name = "ada" + number;
        world.accounts.put(name, World.Row.of(way.home(), SECRET));
        Visit visit = new Visit(
                service,
                world,
                Client.of(service),
                way,
                name,
                "203.0." + (number / 250 + 1) + "." + (number % 250 + 1));
        if (way == Way.ACTING) {
            // Before any rule: the rules are about the account.
            Tokens.ofASupporter(visit);
        }
        return visit;
    }

    String subject() {
        return way.subjectOf(name);
    }

    void change(java.util.function.UnaryOperator<World.Row> change) {
        world.accounts.computeIfPresent(name, (any, row) -> change.apply(row));
    }

    Login login(String secret) throws Exception {
        Client.Reply reply = client.send(way.begin(this, secret));
        StringBuilder shown = new StringBuilder(reply.shown());
        Optional<String> continuation = reply.member("continuation");
        while (continuation.isPresent()) {
            String code = reply.member("method").orElse("").equals("pin") ? secret : Sources.CODE;
            reply = answer(continuation.get(), code, "");
            shown.append(", ").append(reply.shown());
            continuation = reply.member("continuation");
        }
        return new Login(shown.toString(), ticket(secret, reply), reply);
    }

    private Map<String, String> ticket(String secret, Client.Reply reply) {
        Map<String, String> ticket = new LinkedHashMap<>(way.headers(this, secret));
        reply.member("access_token").ifPresent(token -> ticket.put("Authorization", "Bearer " + token));
        if (ticket.isEmpty()) {
            reply.cookies().map(this::kept).ifPresent(cookies -> ticket.put("Cookie", cookies));
        }
        return ticket;
    }

    /** The remember-me cookie alone: the session is over. */
    private String kept(String cookies) {
        if (way != Way.REMEMBER_ME) {
            return cookies;
        }
        for (String cookie : cookies.split("; ", -1)) {
            if (cookie.startsWith("remember-me=")) {
                return cookie;
            }
        }
        return cookies;
    }

    Client.Reply get(String path, Login login) throws Exception {
        return client.send(new Client.Ask("GET", path, login.ticket(), "", from));
    }

    String use(Login login) throws Exception {
        return get("/hello", login).shown();
    }

    Client.Reply send(String method, String path, String body, Map<String, String> headers) throws Exception {
        return client.send(new Client.Ask(method, path, headers, body, from));
    }

    /** The continuation of a login that wants a step. */
    String begin() throws Exception {
        return client.send(way.begin(this, SECRET)).member("continuation").orElseThrow();
    }

    Client.Reply answer(String continuation, String code, String more) throws Exception {
        String grant = way.grant().isEmpty() ? "" : "\"grant_type\":\"" + way.grant() + "\",";
        String body = "{" + grant + "\"continuation\":\"" + continuation + "\",\"code\":\"" + code + "\"" + more + "}";
        return send("POST", "/auth/token", body, way == Way.CLIENT ? Tokens.CLIENT : Map.of());
    }

    /** The present secret of the account. */
    String secret() {
        return world.accounts.get(name).secret();
    }

    /** The same account by another way of the same source. */
    Visit by(Way other) {
        return new Visit(service, world, client, other, name, from);
    }

    /** The same in another service. */
    Visit in(ApplicationContext other) {
        return new Visit(other, world, Client.of(other), way, name, from);
    }
}
