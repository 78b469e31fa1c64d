package dev.latchkey.benchmarks.load;

import io.hyperfoil.http.api.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * A request of a scenario.
 *
 * @param metric the name of its statistics
 * @param body empty for none
 * @param readsToken whether the answer contains {@code "access_token"} for the user's next call
 */
public record Call(
        String metric,
        HttpMethod method,
        String path,
        List<Header> headers,
        Function<User, String> body,
        boolean readsToken) {

    private static final String TOKEN_FIELD = "\"access_token\":\"";

    public record Header(String name, Function<User, String> value) {}

    public static Call get(String metric, String path) {
        return new Call(metric, HttpMethod.GET, path, List.of(), user -> "", false);
    }

    /** A login with a form, as the service's own endpoint reads forms. */
    public static Call formLogin(String metric, String path) {
        return new Call(
                        metric,
                        HttpMethod.POST,
                        path,
                        List.of(),
                        user -> "username=" + user.account() + "&password=" + Accounts.password(user.account()),
                        true)
                .with("Content-Type", "application/x-www-form-urlencoded");
    }

    /** The token in the answer to a login; empty if the answer has no whole token. */
    static String tokenIn(String answer) {
        int field = answer.indexOf(TOKEN_FIELD);
        int begin = field + TOKEN_FIELD.length();
        int end = answer.indexOf('"', begin);
        return field < 0 || end < 0 ? "" : answer.substring(begin, end);
    }

    public Call with(String header, String value) {
        return with(header, user -> value);
    }

    public Call with(String header, Function<User, String> value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(header, value));
        return new Call(metric, method, path, List.copyOf(more), body, readsToken);
    }

    public Call withToken() {
        return with("Authorization", user -> "Bearer " + user.token());
    }

    public Call withBasic() {
        return with("Authorization", user -> basic(user.account(), Accounts.password(user.account())));
    }

    public static String basic(String name, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
    }
}
