// Tables: vectors that only their own id indexes.
#include "base/table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>

namespace parlor {
namespace {

using CatId = Id<struct CatTag, std::int32_t>;
using DogId = Id<struct DogTag, std::int32_t>;

template <class Key>
concept IndexesCats = requires(Table<CatId, std::string> cats, Key key) { cats[key]; };

TEST(Table, IsIndexedByItsOwnIdAndNothingElse) {
  static_assert(IndexesCats<CatId>);
  static_assert(!IndexesCats<DogId>);
  static_assert(!IndexesCats<int>);
  static_assert(!std::is_convertible_v<CatId, int>);
  static_assert(sizeof(CatId) == sizeof(std::int32_t));
}

TEST(Table, GivesEachThingTheNextId) {
  Table<CatId, std::string> cats;
  EXPECT_EQ(cats.next(), CatId(0));
  const CatId tom = cats.push_back("Tom"), kit = cats.push_back("Kit");
  EXPECT_EQ(cats[tom], "Tom");
  EXPECT_EQ(cats[kit], "Kit");
  EXPECT_EQ(cats.id_of(cats[kit]), kit);
  EXPECT_EQ(cats.next(), CatId(2));
}

TEST(Table, HasWhatWasPutIntoItAndNothingThatIsNone) {
  Table<CatId, int> lives(2, 9);
  EXPECT_TRUE(lives.has(CatId(0)));
  EXPECT_TRUE(lives.has(CatId(1)));
  EXPECT_FALSE(lives.has(CatId(2)));
  EXPECT_FALSE(lives.has(CatId::none()));
}

TEST(Table, LoopsOverTheIdsThereWereWhenTheLoopBegan) {
  Table<CatId, int> lives(3, 9);
  int seen = 0;
  for (const CatId cat : lives.ids()) {
    lives.push_back(lives[cat] - 1);
    ++seen;
  }
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(lives.size(), 6u);
  for (const CatId cat : IdRange(CatId(3), lives.next())) EXPECT_EQ(lives[cat], 8);
}

TEST(Table, GivesItsIdsToAlgorithms) {
  Table<CatId, int> lives(3, 9);
  lives[CatId(1)] = 0;
  const auto lives_on = [&](CatId cat) { return lives[cat] > 0; };
  const auto cats = lives.ids();
  EXPECT_EQ(std::ranges::count_if(cats, lives_on), 2);
  EXPECT_EQ(*std::ranges::find_if_not(cats, lives_on), CatId(1));
}

}  // namespace
}  // namespace parlor
