// What the public Call does by way of its virtual functions.

#include <sluice/call.hpp>

#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "base/await.hpp"

namespace sluice {
namespace {

Awaitable<Result<Answer>> ask_one(Call& call, Question question) {
  auto answers = co_await call.ask(std::span<const Question>(&question, 1));
  if (!answers) co_return answers.error();
  co_return std::move(answers->front());
}

}  // namespace

Awaitable<void> Call::sleep(std::chrono::steady_clock::duration time) {
  boost::asio::steady_timer timer(executor(), time);
  const auto result = co_await timer.async_wait(kAwaitTuple);
  static_cast<void>(result);
}

Awaitable<Result<std::vector<Answer>>> Call::ask(std::initializer_list<Question> questions) {
  return ask(std::span<const Question>(questions.begin(), questions.size()));
}

Awaitable<Result<Answer>> Call::elicit(Form form) { return ask_one(*this, form); }
Awaitable<Result<Answer>> Call::elicit_url(Page page) { return ask_one(*this, page); }
Awaitable<Result<Answer>> Call::sample(Sampling sampling) { return ask_one(*this, sampling); }
Awaitable<Result<Answer>> Call::list_roots(Roots roots) { return ask_one(*this, roots); }

}  // namespace sluice
