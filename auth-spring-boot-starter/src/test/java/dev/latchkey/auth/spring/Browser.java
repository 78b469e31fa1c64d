package dev.latchkey.auth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.options;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;

/** A page's script of another origin: a preflight before each request, and no answer that the service does not allow the page to read. */
final class Browser {

    static final String ORIGIN = "https://app.example";

    private final MockMvc service;

    Browser(ApplicationContext context) {
        service = Services.mvc(context);
    }

    /** The status and the body; a failed assertion where the browser would keep the answer from the script. */
    String post(String path, String json, Map<String, String> headers) throws Exception {
        Map<String, String> all = new TreeMap<>(headers);
        all.put("content-type", "application/json");
        return send(HttpMethod.POST, path, json, all);
    }

    String get(String path, Map<String, String> headers) throws Exception {
        return send(HttpMethod.GET, path, "", headers);
    }

    private String send(HttpMethod method, String path, String body, Map<String, String> headers) throws Exception {
        if (!headers.isEmpty()) {
            MockHttpServletResponse preflight = service.perform(options(path)
                            .header("Origin", ORIGIN)
                            .header("Access-Control-Request-Method", method.name())
                            .header("Access-Control-Request-Headers", String.join(",", headers.keySet())))
                    .andReturn()
                    .getResponse();
            assertThat(preflight.getStatus())
                    .as("preflight of %s %s", method, path)
                    .isEqualTo(200);
            assertThat(preflight.getHeader("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
        }
        MockHttpServletRequestBuilder sent =
                request(method, path).header("Origin", ORIGIN).content(body);
        headers.forEach(sent::header);
        MockHttpServletResponse answer = service.perform(sent).andReturn().getResponse();
        assertThat(answer.getHeader("Access-Control-Allow-Origin"))
                .as("the script may read the answer of %s %s, %s", method, path, answer.getStatus())
                .isEqualTo(ORIGIN);
        return answer.getStatus() + " " + answer.getContentAsString();
    }
}
