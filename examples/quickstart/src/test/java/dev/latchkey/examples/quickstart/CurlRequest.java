package dev.latchkey.examples.quickstart;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request in the words of {@code curl}, as far as the README uses the words. */
final class CurlRequest {

    private final Map<String, String> headers = new LinkedHashMap<>();
    private final List<String> data = new ArrayList<>();
    private String method = "";
    private String path = "";

    /** Takes this word, and its argument if any. Returns the number of taken further words. */
    int take(String word, String next) {
        switch (word) {
            case "-s" -> {
                return 0;
            }
            case "-X" -> method = next;
            case "-d" -> data.add(next);
            case "-H" -> headers.put(next.substring(0, next.indexOf(':')), next.substring(next.indexOf(':') + 2));
            case "-u" -> {
                int colon = next.indexOf(':');
                headers.put("Authorization", Client.basic(next.substring(0, colon), next.substring(colon + 1)));
            }
            default -> {
                if (!word.startsWith("/")) {
                    throw new AssertionError("This is no path of the service, and no option that is known: " + word);
                }
                path = word;
                return 0;
            }
        }
        return 1;
    }

    HttpRequest.Builder in(Client client) {
        HttpRequest.Builder request = client.request(path);
        headers.forEach(request::setHeader);
        if (data.isEmpty()) {
            return request.method(method.isEmpty() ? "GET" : method, BodyPublishers.noBody());
        }
        if (!headers.containsKey("Content-Type")) {
            request.setHeader("Content-Type", "application/x-www-form-urlencoded");
        }
        return request.method(method.isEmpty() ? "POST" : method, BodyPublishers.ofString(String.join("&", data)));
    }
}
